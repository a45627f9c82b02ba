//! Agents and obstacles with the bodies and colliders of `bevy_rapier3d`.

use bevy_rapier3d as rapier;
use bevy_steer_physics::dim3 as dim;

/// Vectors of three dimensions, and those of steering.
mod space {
    use bevy::{prelude::*, shape::Aabb3d};

    /// Agents in a plane stand on the ground.
    pub(super) const HAS_DEPTH: bool = true;

    pub(super) fn spin_to_world(spin: Vec3) -> Vec3 {
        spin
    }

    pub(super) fn spin_from_world(spin: Vec3) -> Vec3 {
        spin
    }

    pub(super) fn around(point: Vec3, reach: f32) -> Aabb3d {
        Aabb3d::new(point, Vec3::splat(reach))
    }
}

#[path = "engine.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod engine;

pub use engine::{AvoidColliders, ColliderCaster, ColliderRays, Rapier, RapierSteeringPlugin};

/// The path of [`AvoidColliders`].
const AVOID_COLLIDERS: &str = concat!(module_path!(), "::AvoidColliders");
