//! One of several flocks of an agent, which are not computed with all others at once.

use bevy::{math::ops, prelude::*};

use crate::{
    agent::layers::SteeringLayers,
    behavior::agent::Agent,
    behaviors::flock::{
        component::Flock,
        formulas::{alignment, cohesion, separation_share},
    },
    neighbors::NeighborIndex,
    space::vector::{direction, truncate},
};

impl Flock {
    /// The layers of its neighbours: without any of its own those of its agent.
    pub(super) fn layers_for(&self, agent: &Agent, index: &NeighborIndex) -> SteeringLayers {
        let entry = agent.entry.get();
        let own = || if entry < index.entries { index.layers.get(|| entry) } else { 0 };
        self.layers.unwrap_or_else(|| SteeringLayers(own()))
    }

    /// The change of velocity by the three rules.
    #[inline(never)]
    pub(super) fn steer_alone(&self, agent: &Agent, index: &NeighborIndex) -> Vec3 {
        let max_speed = agent.vehicle.max_speed;
        let radius = self.radius.in_units(agent.vehicle);
        let separation_radius = self.separation_radius.in_units(agent.vehicle).min(radius);
        let half_view = (0.5 * self.view_angle).clamp(0.0, core::f32::consts::PI);
        let (ahead, min_cos) = (agent.direction(), ops::cos(half_view));
        let sees_all_round = half_view >= core::f32::consts::PI;
        let (mut count, mut offsets, mut velocities, mut apart) =
            (0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for mate in index.within(agent.beside(self.layers_for(agent, index)), radius) {
            let is_seen = sees_all_round || direction(mate.offset).dot(ahead) >= min_cos;
            if count == self.max_neighbors || !(mate.is_agent && is_seen) {
                continue;
            }
            count += 1;
            offsets += mate.offset;
            velocities += mate.velocity;
            apart += separation_share(mate.offset, separation_radius);
        }
        if count == 0 {
            return Vec3::ZERO;
        }
        let share = 1.0 / count as f32;
        truncate(apart, 1.0) * (max_speed * self.separation)
            + alignment(agent.velocity, velocities * share) * self.alignment
            + cohesion(offsets * share, radius, max_speed) * self.cohesion
    }
}
