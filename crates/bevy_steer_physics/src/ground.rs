//! [`Ground`]: what agents in a plane walk on.

use bevy::{math::ops, prelude::*};
use bevy_steer::SteeringPlane;

use crate::engine::PhysicsEngine;

/// The ground: what is less steep than this is not an obstacle.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// The unit vector upwards, seen from the collider.
    pub(crate) up: Vec3,
    /// The cosine of the slope from which on it is an obstacle.
    pub(crate) cos_slope: f32,
}

impl Ground {
    /// What agents of this plane walk on, seen from a collider with this rotation; `None` if they
    /// stand on nothing. `max_slope` is in radians; NaN counts as zero.
    pub(crate) fn of<E: PhysicsEngine>(
        plane: SteeringPlane,
        rotation: Quat,
        max_slope: f32,
    ) -> Option<Self> {
        let slope = if max_slope.is_nan() { 0.0 } else { max_slope };
        let cos_slope = ops::cos(slope.clamp(0.0, core::f32::consts::FRAC_PI_2));
        let up = rotation.inverse() * plane.normal();
        (E::HAS_DEPTH && plane.is_planar()).then_some(Self { up, cos_slope })
    }

    /// The same, seen from a part of the collider with this rotation.
    #[cfg(any(feature = "2d", feature = "3d"))]
    pub(crate) fn turned(self, rotation: Quat) -> Self {
        Self { up: rotation.inverse() * self.up, ..self }
    }

    /// Whether a surface with this normal is ground.
    pub(crate) fn is(&self, normal: Vec3) -> bool {
        normal.dot(self.up).abs() >= self.cos_slope
    }
}
