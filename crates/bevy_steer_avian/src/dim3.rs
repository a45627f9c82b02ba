//! Agents and obstacles with the bodies and colliders of `avian3d`.

use avian3d as avian;
use bevy_steer_physics::dim3 as dim;

/// Vectors and rotations of three dimensions, and those of steering.
mod space {
    use avian3d::prelude::*;
    use bevy::prelude::*;

    /// Agents in a plane stand on the ground.
    pub(super) const HAS_DEPTH: bool = true;

    pub(super) fn direction(v: Vec3) -> Option<Dir3> {
        Dir3::new(v).ok()
    }

    pub(super) fn spin_to_world(spin: AngularVelocity) -> Vec3 {
        spin.0
    }

    pub(super) fn spin_from_world(spin: Vec3) -> AngularVelocity {
        AngularVelocity(spin)
    }

    pub(super) fn rotation(rotation: Rotation) -> Quat {
        rotation.0
    }

    /// The axes along which a body with these locks can move, and about which it can turn.
    pub(super) fn free(locked: LockedAxes) -> (BVec3, BVec3) {
        let moves = [
            locked.is_translation_x_locked(),
            locked.is_translation_y_locked(),
            locked.is_translation_z_locked(),
        ];
        let turns = [
            locked.is_rotation_x_locked(),
            locked.is_rotation_y_locked(),
            locked.is_rotation_z_locked(),
        ];
        (!BVec3::from_array(moves), !BVec3::from_array(turns))
    }
}

#[path = "engine.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod engine;

pub use engine::{Avian, AvianSteeringPlugin, AvoidColliders, ColliderCaster, ColliderRays};

/// The path of [`AvoidColliders`].
const AVOID_COLLIDERS: &str = concat!(module_path!(), "::AvoidColliders");
