//! What of a path is drawn.

use crate::{
    behavior::{Agent, DebugDraw, DebugLayer},
    behaviors::path_follow::{PathEnd, PathFollow, PathStyle},
    space::vector::direction,
};

impl PathFollow {
    pub(super) fn draw(&self, agent: &Agent, draw: &mut DebugDraw) {
        let path = self.path.in_plane(agent.plane);
        let points = path.points();
        let Some(&first) = points.first() else { return };
        let closing = (self.end == PathEnd::Loop).then_some(first);
        let ends = points[1..].iter().copied().chain(closing);
        for (from, to) in points.iter().copied().zip(ends) {
            draw.line(DebugLayer::Path, from, to);
            if let PathStyle::Corridor { radius, .. } = self.style {
                let radius = radius.in_units(agent.vehicle);
                let beside = direction(agent.plane.left(to - from)) * radius;
                for side in [beside, -beside] {
                    draw.line(DebugLayer::Range, from + side, to + side);
                }
            }
        }
        let goal = match self.style {
            PathStyle::Waypoints { radius } => {
                let radius = radius.in_units(agent.vehicle);
                for &point in points {
                    draw.circle(DebugLayer::Range, point, radius);
                }
                points[self.progress.next.min(points.len() - 1)]
            }
            PathStyle::Corridor { .. } => path.point_at(self.progress.distance, closing.is_some()),
        };
        draw.way(agent, agent.towards(goal));
    }
}
