//! A starting point for steering gizmos: everything off.

use bevy_steer::{Paint, Shown, prelude::*};

/// Turns off everything that the steering gizmos draw.
pub fn draw_nothing(gizmos: &mut SteeringGizmos) {
    let SteeringGizmos { force, velocity, heading, body, obstacles, walls, bounds, .. } = gizmos;
    for color in [force, velocity, heading, body, obstacles, walls, bounds] {
        *color = None;
    }
    for paint in [
        &mut gizmos.requests,
        &mut gizmos.targets,
        &mut gizmos.ranges,
        &mut gizmos.guesses,
        &mut gizmos.wander,
        &mut gizmos.paths,
        &mut gizmos.feelers,
        &mut gizmos.views,
        &mut gizmos.links,
        &mut gizmos.limits,
    ] {
        *paint = Paint::Off;
    }
    gizmos.behaviors.clear();
    gizmos.shown = Shown::All;
}
