//! [`draw_paths`]: the paths that agents follow.

use bevy::prelude::*;
use bevy_steer::PathFollow;

/// A system that draws the rest of each path, raised by `lift`.
pub fn draw_paths(
    lift: Vec3,
    color: Color,
) -> impl FnMut(Query<(&Transform, &PathFollow)>, Gizmos) {
    move |agents, mut gizmos| {
        for (agent, follow) in &agents {
            let rest = follow.path.points().iter().skip(follow.progress.next).copied();
            let line = [agent.translation].into_iter().chain(rest).map(|point| point + lift);
            gizmos.linestrip(line, color);
        }
    }
}
