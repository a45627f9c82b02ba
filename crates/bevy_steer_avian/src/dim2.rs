//! Agents and obstacles with the bodies and colliders of `avian2d`.

use avian2d as avian;
use bevy_steer_physics::dim2 as dim;

/// Vectors and rotations of two dimensions, and those of steering.
mod space {
    use avian2d::prelude::*;
    use bevy::prelude::*;

    /// Agents of two dimensions do not stand on the ground.
    pub(super) const HAS_DEPTH: bool = false;

    pub(super) fn direction(v: Vec3) -> Option<Dir2> {
        Dir2::new(v.truncate()).ok()
    }

    pub(super) fn spin_to_world(spin: AngularVelocity) -> Vec3 {
        Vec3::Z * spin.0
    }

    pub(super) fn spin_from_world(spin: Vec3) -> AngularVelocity {
        AngularVelocity(spin.z)
    }

    pub(super) fn rotation(rotation: Rotation) -> Quat {
        rotation.into()
    }

    /// The axes along which a body with these locks can move, and about which it can turn.
    pub(super) fn free(locked: LockedAxes) -> (BVec3, BVec3) {
        let [x, y] = [locked.is_translation_x_locked(), locked.is_translation_y_locked()];
        (BVec3::new(!x, !y, true), BVec3::splat(!locked.is_rotation_locked()))
    }
}

#[path = "engine.rs"]
#[allow(clippy::duplicate_mod, reason = "compiled once for each dimension")]
mod engine;

pub use engine::{Avian, AvianSteeringPlugin, AvoidColliders, ColliderCaster, ColliderRays};

/// The path of [`AvoidColliders`].
const AVOID_COLLIDERS: &str = concat!(module_path!(), "::AvoidColliders");
