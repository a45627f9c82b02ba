//! Who touches what, and how deep.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, prelude::*};

/// Contacts shallower than this share of a radius do not count.
const GRAZE: f32 = 0.01;

/// Which pairs have touched, and how deep each did, in radii of the agent.
#[derive(Debug, Default)]
pub(super) struct Touches(HashMap<(Entity, Entity), f32>);

/// A body: who, where, and how large.
pub(super) type Body = (Entity, Vec3, f32);

impl Touches {
    fn add(&mut self, one: Entity, other: Entity, depth: f32) {
        if depth > GRAZE {
            let deepest = self.0.entry((one, other)).or_default();
            *deepest = deepest.max(depth);
        }
    }

    pub(super) fn add_agents(&mut self, agents: &[Body]) {
        for (i, &(one, at, radius)) in agents.iter().enumerate() {
            for &(other, there, size) in &agents[i + 1..] {
                self.add(one, other, (radius + size - at.distance(there)) / radius);
            }
        }
    }

    pub(super) fn add_stones(&mut self, agents: &[Body], stones: &[(Entity, Vec3, Obstacle)]) {
        for &(agent, at, radius) in agents {
            for &(stone, there, obstacle) in stones {
                if let ObstacleShape::Sphere { radius: size } = obstacle.shape {
                    self.add(agent, stone, (radius + size - at.distance(there)) / radius);
                }
            }
        }
    }

    pub(super) fn add_walls(&mut self, agents: &[Body], walls: &[(Entity, Wall)]) {
        for &(agent, at, radius) in agents {
            for &(entity, wall) in walls {
                let nearest = Segment3d::new(wall.start, wall.end).closest_point(at);
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
