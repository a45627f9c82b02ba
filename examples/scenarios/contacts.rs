//! [`Contacts`]: which bodies have overlapped, and how deep.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, prelude::*};

/// Overlaps shallower than this share of a radius do not count.
const TOLERANCE: f32 = 0.01;

/// The pairs that have overlapped, with the deepest overlap in radii of the agent.
#[derive(Debug, Default)]
pub(super) struct Contacts(HashMap<(Entity, Entity), f32>);

/// An agent, its position and its radius.
pub(super) type Body = (Entity, Vec3, f32);

impl Contacts {
    fn add(&mut self, one: Entity, other: Entity, depth: f32) {
        if depth > TOLERANCE {
            let deepest = self.0.entry((one, other)).or_default();
            *deepest = deepest.max(depth);
        }
    }

    pub(super) fn add_agents(&mut self, agents: &[Body]) {
        let mut agents = agents.to_vec();
        agents.sort_by(|one, other| one.1.x.total_cmp(&other.1.x));
        let largest = agents.iter().map(|(.., radius)| *radius).fold(0.0, f32::max);
        for (i, &(one, at, radius)) in agents.iter().enumerate() {
            // No one farther along the x axis than this touches it.
            let reach = at.x + radius + largest;
            for &(other, there, size) in agents[i + 1..].iter().take_while(|it| it.1.x <= reach) {
                let depth = (radius + size - at.distance(there)) / radius;
                self.add(one.min(other), one.max(other), depth);
            }
        }
    }

    pub(super) fn add_obstacles(
        &mut self,
        agents: &[Body],
        obstacles: &[(Entity, Vec3, Obstacle)],
    ) {
        for &(agent, at, radius) in agents {
            for &(entity, there, obstacle) in obstacles {
                let gap = match obstacle.shape {
                    ObstacleShape::Sphere { radius: size } => at.distance(there) - size,
                    // None of them is turned.
                    ObstacleShape::Box { half_size } => {
                        let local = at - there;
                        local.distance(local.clamp(-half_size, half_size))
                    }
                    ref other => unimplemented!("no scenario has a {other:?}"),
                };
                self.add(agent, entity, (radius - gap) / radius);
            }
        }
    }

    pub(super) fn add_walls(&mut self, agents: &[Body], walls: &[(Entity, Wall)]) {
        for &(agent, at, radius) in agents {
            for &(entity, wall) in walls {
                let [start, end] = wall.ends(SteeringPlane::Xy);
                let nearest = Segment3d::new(start, end).closest_point(at);
                self.add(agent, entity, (radius - at.distance(nearest)) / radius);
            }
        }
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn deepest(&self) -> f32 {
        self.0.values().copied().fold(0.0, f32::max)
    }
}
