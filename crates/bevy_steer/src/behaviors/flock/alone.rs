//! One of several flocks of an agent, which are not computed with all others at once.

use core::f32::consts::{PI, TAU};

use bevy::{math::ops, prelude::*};

use crate::{
    agent::layers::SteeringLayers,
    behavior::agent::Agent,
    behaviors::flock::{
        component::Flock,
        formulas::{alignment, cohesion, coincident_distance, separation_share},
    },
    neighbors::{Neighbor, NeighborIndex},
    space::vector::truncate,
};

impl Flock {
    /// The layers of its neighbours: without any of its own those of its agent.
    pub(super) fn layers_for(&self, agent: &Agent, index: &NeighborIndex) -> SteeringLayers {
        let entry = agent.entry.get();
        let own = || if entry < index.entries { index.layers.get(|| entry) } else { 0 };
        self.layers.unwrap_or_else(|| SteeringLayers(own()))
    }

    /// The neighbours that it sees.
    pub(super) fn visible_neighbors(
        &self,
        agent: &Agent,
        index: &NeighborIndex,
    ) -> impl Iterator<Item = Neighbor> {
        let sees_part = self.view_angle < TAU;
        let (ahead, min_cos) =
            (agent.direction(), ops::cos((0.5 * self.view_angle).clamp(0.0, PI)));
        let around = agent.beside(self.layers_for(agent, index));
        index.within(around, self.radius.in_units(agent.vehicle)).filter(move |neighbor| {
            let is_seen =
                || neighbor.offset.dot(ahead) >= min_cos * neighbor.distance_squared.sqrt();
            neighbor.is_agent && (!sees_part || is_seen())
        })
    }

    /// The change of velocity by the three rules.
    #[inline(never)]
    pub(super) fn steer_alone(&self, agent: &Agent, index: &NeighborIndex) -> Vec3 {
        if self.max_neighbors == 0 {
            return Vec3::ZERO;
        }
        let max_speed = agent.vehicle.max_speed;
        let radius = self.radius.in_units(agent.vehicle);
        let separation_radius = self.separation_radius.in_units(agent.vehicle).min(radius);
        let coincident = coincident_distance(separation_radius);
        let (mut count, mut offsets, mut velocities, mut apart) =
            (0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let visible: Vec<Neighbor> = self.visible_neighbors(agent, index).collect();
        // Of too many some from everywhere.
        let stride = visible.len().div_ceil(self.max_neighbors as usize).max(1);
        for neighbor in visible.into_iter().step_by(stride) {
            count += 1;
            offsets += neighbor.offset;
            velocities += neighbor.velocity;
            apart += if neighbor.distance_squared <= coincident * coincident {
                agent.plane.parting(agent.id.0, neighbor.id.0)
            } else {
                separation_share(neighbor.offset, separation_radius)
            };
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
