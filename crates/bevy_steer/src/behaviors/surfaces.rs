//! The surfaces around an agent.

use bevy::prelude::*;

use crate::{
    behavior::agent::Agent,
    behaviors::feelers::FeelerHit,
    obstacles::{ObstacleIndex, ObstacleShape, PlacedObstacle},
    space::{plane::SteeringPlane, vector},
};

impl ObstacleIndex {
    /// Calls `f` with every obstacle and wall no farther than `reach` units from an agent's
    /// position, and its nearest point.
    #[inline(always)]
    pub fn for_each_surface(
        &self,
        agent: &Agent,
        reach: f32,
        mut f: impl FnMut(&PlacedObstacle, FeelerHit),
    ) {
        if self.is_empty() || !(reach > 0.0 && reach.is_finite()) {
            return;
        }
        for obstacle in self.around(agent.position, reach) {
            // A wall stands upright, and has no end above or below.
            let is_upright = matches!(obstacle.shape, ObstacleShape::Segment { .. });
            let plane = match agent.plane {
                SteeringPlane::Free if is_upright => SteeringPlane::Xz,
                plane => plane,
            };
            let from = plane.flatten(-agent.towards(obstacle.position));
            let (distance, away) = obstacle.shape.distance(from, &obstacle.axes, plane);
            let normal = vector::direction(agent.plane.flatten(away));
            if distance <= reach && normal != Vec3::ZERO && obstacle.entity != agent.entity {
                f(obstacle, FeelerHit { distance, normal });
            }
        }
    }
}
