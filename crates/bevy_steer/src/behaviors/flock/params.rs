//! The parameters of flocks as the kernel reads them: agents of equal parameters share a set.

use std::collections::HashMap;

use bevy::{math::ops, prelude::*};

use crate::{
    agent::blend::Blend,
    behaviors::flock::component::Flock,
    space::{plane::SteeringPlane, vector::NEGLIGIBLE},
};

/// Instead of the index of a set: this agent does not flock.
pub(super) const NONE: u32 = u32::MAX;

/// What the kernel has to know of a [`Flock`] and its vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlockParams {
    pub(super) radius: f32,
    pub(super) radius_squared: f32,
    pub(super) separation_squared: f32,
    /// The square of the distance below which two agents are in one place. Separation does not grow
    /// any more there, and stays finite.
    pub(super) coincident_squared: f32,
    /// One over the separation radius; zero if that is.
    pub(super) per_separation: f32,
    /// Factor on the sum of separations.
    pub(super) separation: f32,
    /// Factor on the mean velocity of the neighbours, minus the own.
    pub(super) alignment: f32,
    /// Factor on the mean offset of the neighbours.
    pub(super) cohesion: f32,
    pub(super) max_neighbors: u32,
    pub(super) layers: u32,
    /// The cosine of half the view angle; `None` if it sees all round.
    pub(super) min_cos: Option<f32>,
}

impl FlockParams {
    /// `None` if such a flock is disabled or sees nothing.
    pub(super) fn new(flock: &Flock, max_speed: f32) -> Option<Self> {
        let is_blind = flock.radius.is_nan() || flock.radius < 0.0 || flock.max_neighbors == 0;
        if is_blind || !flock.blend.enabled {
            return None;
        }
        let separation_radius = flock.separation_radius.clamp(0.0, flock.radius);
        let coincident = NEGLIGIBLE * separation_radius.max(1.0);
        let coincident_squared = coincident * coincident;
        let per = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
        let half_view = 0.5 * flock.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        Some(Self {
            radius: flock.radius,
            radius_squared: flock.radius * flock.radius,
            // So that the factor of a coincident neighbour is not zero.
            separation_squared: (separation_radius * separation_radius)
                .max(4.0 * coincident_squared),
            coincident_squared,
            per_separation: per(separation_radius),
            separation: max_speed * flock.separation,
            alignment: flock.alignment,
            cohesion: max_speed * per(flock.radius) * flock.cohesion,
            max_neighbors: flock.max_neighbors,
            layers: flock.layers.0,
            min_cos: (!sees_all_round).then(|| ops::cos(half_view.max(0.0))),
        })
    }
}

/// All of a flock and its vehicle that makes a difference to the kernel, as bits.
pub(super) type ParamKey = [u32; 10];

/// What else a blend may have of its own, as bits.
#[inline(always)]
pub(super) fn blend_key(blend: &Blend) -> [u32; 2] {
    [blend.weight.to_bits(), blend.priority.map_or(u32::MAX, |priority| priority as u32)]
}

#[inline(always)]
pub(super) fn param_key(flock: &Flock, max_speed: f32) -> ParamKey {
    [
        flock.radius.to_bits(),
        flock.separation_radius.to_bits(),
        flock.view_angle.to_bits(),
        flock.separation.to_bits(),
        flock.alignment.to_bits(),
        flock.cohesion.to_bits(),
        max_speed.to_bits(),
        flock.max_neighbors,
        flock.layers.0,
        u32::from(flock.blend.enabled),
    ]
}

/// The parameters of all flocks in a tick. The order of the sets depends on threads, and nothing
/// depends on their order.
#[derive(Default)]
pub(super) struct ParamTable {
    pub(super) sets: Vec<FlockParams>,
    /// Whether every agent in the index flocks in this tick by the only set. Slots have no marks
    /// then.
    pub(super) is_uniform: bool,
    /// Their blend then, if that is uniform too.
    pub(super) blend: Option<Blend>,
    pub(super) indices: HashMap<ParamKey, u32>,
    /// By plane: the entries of agents that do not see all round and stand still, and where they
    /// look.
    pub(super) standing: [Vec<(u32, Vec3)>; SteeringPlane::ALL.len()],
}

impl ParamTable {
    /// The index of a set, or [`NONE`].
    pub(super) fn index_of(&mut self, key: ParamKey, flock: &Flock, max_speed: f32) -> u32 {
        *self.indices.entry(key).or_insert_with(|| match FlockParams::new(flock, max_speed) {
            Some(params) => {
                self.sets.push(params);
                self.sets.len() as u32 - 1
            }
            None => NONE,
        })
    }
}
