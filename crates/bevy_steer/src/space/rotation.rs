//! Angles and rotations of agents, and the directions that they face.

use bevy::{math::ops, prelude::*};

use crate::{
    simd::{Arithmetic, One, Vector},
    space::{
        plane::{PARALLEL, SteeringPlane},
        vector::local_axes,
    },
};

impl SteeringPlane {
    /// The unit vector at `angle` (radians): counterclockwise from [`forward`](Self::forward) about
    /// [`normal`](Self::normal).
    pub fn direction(self, angle: f32) -> Vec3 {
        let (sin, cos) = ops::sin_cos(angle);
        match self {
            Self::Xy => Vec3::new(cos, sin, 0.0),
            Self::Xz | Self::Free => Vec3::new(-sin, 0.0, -cos),
        }
    }

    /// The angle of `v` (radians, −π to π); the reverse of [`direction`](Self::direction). In free
    /// space the yaw.
    pub fn angle(self, v: Vec3) -> f32 {
        match self {
            Self::Xy => ops::atan2(v.y, v.x),
            Self::Xz | Self::Free => ops::atan2(-v.x, -v.z),
        }
    }

    /// `v` turned by `angle` (radians) about `axis` (a unit vector).
    pub(crate) fn turn(v: Vec3, axis: Vec3, angle: f32) -> Vec3 {
        let (sin, cos) = ops::sin_cos(angle);
        v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos))
    }

    /// The direction that an agent with this rotation faces.
    pub fn heading(self, rotation: Quat) -> Vec3 {
        let [x, _, z] = local_axes(rotation);
        let heading = self.flatten(if self == Self::Xy { x } else { -z });
        heading.try_normalize().unwrap_or_else(|| self.forward())
    }

    /// The rotation of an agent that faces along the unit vector `heading`, upright in free space.
    ///
    /// Uses square roots and divisions only, so that it is the same on every platform.
    #[inline]
    pub fn rotation(self, heading: Vec3) -> Quat {
        Quat::from_array(self.rotation_on(One, heading.to_array()))
    }

    /// [`rotation`](Self::rotation) as a kernel: the four numbers of a `Quat`.
    #[inline(always)]
    pub(crate) fn rotation_on<L: Arithmetic>(self, l: L, [x, y, z]: Vector<L>) -> [L::F; 4] {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        match self {
            Self::Xy => {
                let (z, w) = half_angle(l, x, y);
                [zero, zero, z, w]
            }
            Self::Xz => {
                let (y, w) = half_angle(l, l.neg(z), l.neg(x));
                [zero, y, zero, w]
            }
            Self::Free => {
                // A yaw about `y`, then a pitch about the `x` that it has turned.
                let level = l.sqrt(l.add(l.mul(x, x), l.mul(z, z)));
                let is_level = l.lt(l.splat(PARALLEL), level);
                let yaw_cos = l.select(is_level, l.div(l.neg(z), level), one);
                let yaw_sin = l.select(is_level, l.div(l.neg(x), level), zero);
                let (yaw_y, yaw_w) = half_angle(l, yaw_cos, yaw_sin);
                let (pitch_x, pitch_w) = half_angle(l, level, y);
                [
                    l.mul(yaw_w, pitch_x),
                    l.mul(yaw_y, pitch_w),
                    l.mul(l.neg(yaw_y), pitch_x),
                    l.mul(yaw_w, pitch_w),
                ]
            }
        }
    }
}

/// Sine and cosine of half an angle, from its cosine and sine.
#[inline(always)]
fn half_angle<L: Arithmetic>(l: L, cos: L::F, sin: L::F) -> (L::F, L::F) {
    let (half, one) = (l.splat(0.5), l.splat(1.0));
    // The larger of the two by a root, the other one from their product. Without a branch, which
    // would be mispredicted as agents face in all directions.
    let larger = l.sqrt(l.mul(half, l.add(one, l.abs(cos))));
    let smaller = l.div(l.mul(half, l.abs(sin)), larger);
    let is_ahead = l.le(l.splat(0.0), cos);
    let half_sin = l.select(is_ahead, smaller, larger);
    (l.copysign(half_sin, sin), l.select(is_ahead, larger, smaller))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: Vec3) -> bool {
        (a - b).length() < 1e-5
    }

    #[test]
    fn rotation_and_heading_are_inverse_in_every_plane() {
        for plane in SteeringPlane::ALL {
            for step in 0..64 {
                let heading = plane.direction(step as f32 * 0.1);
                let rotation = plane.rotation(heading);
                assert!((rotation.length() - 1.0).abs() < 1e-5);
                assert!(close(plane.heading(rotation), heading), "{plane:?} {heading}");
            }
        }
    }

    #[test]
    fn free_rotation_is_upright_and_survives_the_poles() {
        let plane = SteeringPlane::Free;
        let rotation = plane.rotation(Vec3::new(0.6, 0.8, 0.0));
        assert!((rotation * Vec3::Y).y > 0.0);
        assert!((rotation * Vec3::X).y.abs() < 1e-6, "wings level: {rotation}");
        for pole in [Vec3::Y, Vec3::NEG_Y] {
            let rotation = plane.rotation(pole);
            assert!(rotation.is_finite() && close(plane.heading(rotation), pole));
            assert!(close(rotation * Vec3::X, Vec3::X), "not rolled over: {rotation}");
        }
    }

    #[test]
    fn angles_turn_counterclockwise() {
        use core::f32::consts::FRAC_PI_2;
        assert!(close(SteeringPlane::Xy.direction(FRAC_PI_2), Vec3::Y));
        assert!(close(SteeringPlane::Xz.direction(FRAC_PI_2), Vec3::NEG_X));
        for plane in SteeringPlane::ALL {
            let forward = plane.forward();
            let quarter = plane.direction(FRAC_PI_2);
            assert!(close(plane.left(forward), quarter));
            assert!((plane.angle(quarter) - FRAC_PI_2).abs() < 1e-6);
            assert!(close(SteeringPlane::turn(forward, plane.normal(), FRAC_PI_2), quarter));
        }
    }

    #[test]
    fn turn_agrees_with_a_quaternion() {
        let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        for v in [Vec3::X, Vec3::new(-3.0, 0.5, 2.0), axis] {
            for angle in [-2.0, 0.3, 3.0] {
                let expected = Quat::from_axis_angle(axis, angle) * v;
                assert!(close(SteeringPlane::turn(v, axis, angle), expected), "{v} by {angle}");
            }
        }
    }
}
