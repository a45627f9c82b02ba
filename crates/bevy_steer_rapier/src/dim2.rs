//! Agents and obstacles with the bodies and colliders of `bevy_rapier2d`.

use bevy_rapier2d as rapier;
use bevy_steer_physics::dim2 as dim;

/// Vectors of two dimensions, and those of steering.
mod space {
    use bevy::{prelude::*, shape::Aabb2d};

    /// Agents of two dimensions do not stand on the ground.
    pub(super) const HAS_DEPTH: bool = false;

    pub(super) fn spin_to_world(spin: f32) -> Vec3 {
        Vec3::Z * spin
    }

    pub(super) fn spin_from_world(spin: Vec3) -> f32 {
        spin.z
    }

    pub(super) fn around(point: Vec3, reach: f32) -> Aabb2d {
        Aabb2d::new(point.truncate(), Vec2::splat(reach))
    }
}

#[path = "engine.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod engine;

pub use engine::{AvoidColliders, ColliderCaster, ColliderRays, Rapier, RapierSteeringPlugin};

/// The path of [`AvoidColliders`].
const AVOID_COLLIDERS: &str = concat!(module_path!(), "::AvoidColliders");
