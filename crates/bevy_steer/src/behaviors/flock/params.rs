//! The parameters of flocks as the kernel reads them: agents with equal parameters share a set.

use std::collections::HashMap;

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{layers::SteeringLayers, vehicle::Vehicle},
    behaviors::flock::{component::Flock, formulas::coincident_distance},
    space::plane::SteeringPlane,
};

/// Instead of the index of a set: this agent does not flock.
pub(super) const NONE: u32 = u32::MAX;

/// The parameters of a [`Flock`] and its vehicle, as the kernel needs them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlockParams {
    pub radius: f32,
    pub radius_squared: f32,
    pub separation_squared: f32,
    /// The square of the distance below which two agents are in one place. Separation does not grow
    /// any more there, and stays finite.
    pub coincident_squared: f32,
    /// One over the separation radius; zero if that is.
    pub per_separation: f32,
    /// Factor on the sum of separations.
    pub separation: f32,
    /// Factor on the mean velocity of the neighbours, minus the own.
    pub alignment: f32,
    /// Factor on the mean offset of the neighbours.
    pub cohesion: f32,
    pub max_neighbors: u32,
    pub layers: u32,
    /// The cosine of half the view angle; `None` if it sees all round.
    pub min_cos: Option<f32>,
}

impl FlockParams {
    /// `None` if such a flock is disabled or sees nothing. `own` are the agent's layers.
    pub(super) fn new(flock: &Flock, vehicle: &Vehicle, own: SteeringLayers) -> Option<Self> {
        let (radius, max_speed) = (flock.radius.in_units(vehicle), vehicle.max_speed);
        let is_blind = radius.is_nan() || radius < 0.0 || flock.max_neighbors == 0;
        if is_blind || !flock.blend.enabled {
            return None;
        }
        let separation_radius = flock.separation_radius.in_units(vehicle).clamp(0.0, radius);
        let coincident = coincident_distance(separation_radius);
        let coincident_squared = coincident * coincident;
        let per = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
        let half_view = 0.5 * flock.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        Some(Self {
            radius,
            radius_squared: radius * radius,
            // So that the factor of a coincident neighbour is not zero.
            separation_squared: (separation_radius * separation_radius)
                .max(4.0 * coincident_squared),
            coincident_squared,
            per_separation: per(separation_radius),
            separation: max_speed * flock.separation,
            alignment: flock.alignment,
            cohesion: max_speed * per(radius) * flock.cohesion,
            max_neighbors: flock.max_neighbors,
            layers: flock.layers.unwrap_or(own).0,
            min_cos: (!sees_all_round).then(|| ops::cos(half_view.max(0.0))),
        })
    }
}

/// All of a flock and its vehicle that makes a difference to the kernel, as bits.
pub(super) type ParamKey = [u32; 11];

/// `layers` are those of the neighbours; `None` is a key too, for agents that share their layers.
#[inline(always)]
pub(super) fn param_key(
    flock: &Flock,
    vehicle: &Vehicle,
    layers: Option<SteeringLayers>,
) -> ParamKey {
    [
        flock.radius.in_units(vehicle).to_bits(),
        flock.separation_radius.in_units(vehicle).to_bits(),
        flock.view_angle.to_bits(),
        flock.separation.to_bits(),
        flock.alignment.to_bits(),
        flock.cohesion.to_bits(),
        vehicle.max_speed.to_bits(),
        flock.max_neighbors,
        u32::from(layers.is_some()),
        layers.map_or(0, |layers| layers.0),
        u32::from(flock.blend.enabled),
    ]
}

/// The parameters of all flocks in a tick. The order of the sets depends on threads, and nothing
/// depends on their order.
#[derive(Default)]
pub(super) struct ParamTable {
    pub sets: Vec<FlockParams>,
    /// Whether every agent in the index flocks in this tick by the only set. Slots have no marks
    /// then.
    pub is_uniform: bool,
    pub indices: HashMap<ParamKey, u32>,
    /// By plane: the entries of agents that do not see all round and stand still, and where they
    /// look.
    pub standing: [Vec<(u32, Vec3)>; SteeringPlane::ALL.len()],
}

impl ParamTable {
    /// The index of a set, or [`NONE`].
    pub(super) fn index_of(
        &mut self,
        key: ParamKey,
        flock: &Flock,
        vehicle: &Vehicle,
        own: SteeringLayers,
    ) -> u32 {
        *self.indices.entry(key).or_insert_with(|| match FlockParams::new(flock, vehicle, own) {
            Some(params) => {
                self.sets.push(params);
                self.sets.len() as u32 - 1
            }
            None => NONE,
        })
    }
}
