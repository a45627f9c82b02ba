//! Helpers on one vector: the kernels of [`simd::vector`](crate::simd::vector) as scalar code.

use bevy::prelude::*;

pub(crate) use crate::simd::vector::NEGLIGIBLE;
use crate::simd::{one::One, vector};

/// `v` at length one, or zero if it is too short to have a direction.
#[inline]
pub(crate) fn direction(v: Vec3) -> Vec3 {
    split(v).0
}

/// Direction and length of `v`; both zero if it is too short to have a direction.
#[inline]
pub(crate) fn split(v: Vec3) -> (Vec3, f32) {
    let (direction, length) = vector::split(One, v.to_array());
    (direction.into(), length)
}

/// `v`, but no longer than `max`. Direction is kept: no clamping axis by axis. Zero if `max` is not
/// above zero.
#[inline]
pub(crate) fn truncate(v: Vec3, max: f32) -> Vec3 {
    vector::truncate(One, v.to_array(), max).into()
}

/// Whether all its coordinates are numbers within [`MAX_MAGNITUDE`](vector::MAX_MAGNITUDE).
#[inline]
pub(crate) fn is_valid(v: Vec3) -> bool {
    vector::is_valid(One, v.to_array())
}

/// The part of `v` perpendicular to the unit vector `axis`.
#[inline]
pub(crate) fn perpendicular(v: Vec3, axis: Vec3) -> Vec3 {
    v - axis * v.dot(axis)
}

/// The directions of an entity's local axes in the world. In plain arithmetic, which is the same on
/// every platform.
#[inline]
pub(crate) fn local_axes(rotation: Quat) -> [Vec3; 3] {
    let [x, y, z, w] = rotation.to_array();
    [
        Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        Vec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    ]
}

/// A vector along these axes in the world. In plain arithmetic, as above.
#[inline]
pub(crate) fn to_world(&[x, y, z]: &[Vec3; 3], v: Vec3) -> Vec3 {
    x * v.x + y * v.y + z * v.z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncate_keeps_the_direction() {
        assert_eq!(truncate(Vec3::new(3.0, 4.0, 0.0), 10.0), Vec3::new(3.0, 4.0, 0.0));
        assert_eq!(truncate(Vec3::new(3.0, 4.0, 0.0), 2.5), Vec3::new(1.5, 2.0, 0.0));
        let huge = truncate(Vec3::new(3e9, 4e9, 0.0), 5.0);
        assert!((huge - Vec3::new(3.0, 4.0, 0.0)).length() < 1e-5, "{huge}");
        assert_eq!(truncate(Vec3::X, 0.0), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X, -5.0), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X, f32::NAN), Vec3::ZERO);
        assert_eq!(truncate(Vec3::ZERO, 0.0), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X * 1e9, f32::INFINITY), Vec3::X * 1e9);
    }

    #[test]
    fn is_valid_wants_numbers_within_the_largest_magnitude() {
        assert!(is_valid(Vec3::splat(1e9)) && is_valid(Vec3::splat(-1e9)));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.1e9, -1e30] {
            for axis in 0..3 {
                let mut v = Vec3::ONE;
                v[axis] = bad;
                assert!(!is_valid(v));
            }
        }
    }

    #[test]
    fn split_gives_direction_and_length_or_zero() {
        assert_eq!(split(Vec3::new(0.0, 0.0, 2.0)), (Vec3::Z, 2.0));
        assert_eq!(split(Vec3::splat(1e-9)), (Vec3::ZERO, 0.0));
        let (direction, length) = split(Vec3::splat(1e9));
        assert!(direction.is_normalized() && length > 1e9);
        assert_eq!(split(Vec3::splat(f32::NAN)), (Vec3::ZERO, 0.0));
    }

    #[test]
    fn local_axes_are_the_rotated_axes_of_the_world() {
        let rotation = Quat::from_euler(EulerRot::XYZ, 0.3, -1.2, 2.0);
        for (axis, world) in local_axes(rotation).into_iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            assert!((axis - rotation * world).length() < 1e-6);
        }
    }
}
