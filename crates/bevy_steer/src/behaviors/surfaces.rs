//! The surfaces around an agent.

use bevy::prelude::*;

use crate::{
    agent::{height::HeightSpan, layers::SteeringLayers},
    behavior::{Agent, AgentBlock},
    behaviors::feelers::FeelerHit,
    obstacles::{ObstacleIndex, PlacedObstacle},
    simd::lanes::Lanes,
    space::{plane::SteeringPlane, vector},
};

impl PlacedObstacle {
    /// Whether an agent that looks for these layers has to avoid it.
    #[inline(always)]
    pub fn concerns(&self, agent: &Agent, layers: SteeringLayers) -> bool {
        self.layers.overlaps(layers) && self.entity != agent.entity && self.is_level_with(agent)
    }

    /// Whether it reaches into the height of an agent; see
    /// [`SteeringHeight`](crate::SteeringHeight).
    fn is_level_with(&self, agent: &Agent) -> bool {
        if !agent.plane.is_planar() || self.rise == f32::INFINITY {
            return true;
        }
        let Self { shape, axes, .. } = self;
        let [.., level] = agent.plane.project(self.position + shape.center(axes));
        let half = shape.extent(agent.plane.normal(), axes, SteeringPlane::Free) + self.taller;
        agent.span().meets(HeightSpan { low: level - half, high: level + half + self.rise })
    }
}

impl ObstacleIndex {
    /// Calls `f` with every obstacle and wall in one of these layers no farther than `reach` units
    /// from an agent's position, and its nearest point.
    #[inline(always)]
    pub fn for_each_surface(
        &self,
        agent: &Agent,
        layers: SteeringLayers,
        reach: f32,
        mut f: impl FnMut(&PlacedObstacle, FeelerHit),
    ) {
        if self.is_empty() || !(reach > 0.0 && reach.is_finite()) {
            return;
        }
        // Not a `for` loop, which is slower on nested iterators.
        self.around(agent.position, reach).for_each(|obstacle| {
            if !obstacle.concerns(agent, layers) {
                return;
            }
            let plane = obstacle.plane(agent.plane);
            let from = plane.flatten(-agent.towards(obstacle.position));
            let (distance, away) = obstacle.shape.distance(from, &obstacle.axes, plane);
            let normal = vector::direction(agent.plane.flatten(away));
            if distance <= reach && normal != Vec3::ZERO {
                f(obstacle, FeelerHit { distance, normal, entity: Some(obstacle.entity) });
            }
        });
    }

    /// Which of eight agents surely have no obstacle or wall within so many units, whatever its
    /// layers and height. Of the others nothing is known.
    #[inline(always)]
    pub(super) fn clear_around<L: Lanes>(
        &self,
        l: L,
        asked: u8,
        agents: &AgentBlock,
        reach: L::F,
    ) -> u8 {
        // A little more, for rounding.
        self.clear_balls(l, asked, agents.position(l), l.mul(reach, l.splat(1.001)))
    }
}
