//! Small helpers on vectors that hold for every magnitude.

use bevy::prelude::*;

/// A vector shorter than this has no direction.
pub(crate) const NEGLIGIBLE: f32 = 1e-6;

/// `v` at length one, or zero if it is too short to have a direction.
#[inline(always)]
pub(crate) fn direction(v: Vec3) -> Vec3 {
    split(v).0
}

/// Direction and length of `v`; both zero if it is too short to have a direction.
#[inline(always)]
pub(crate) fn split(v: Vec3) -> (Vec3, f32) {
    let length = v.length();
    if length > NEGLIGIBLE && length <= f32::MAX {
        (v * (1.0 / length), length)
    } else if length <= NEGLIGIBLE {
        (Vec3::ZERO, 0.0)
    } else {
        let mut direction = [0.0; 3];
        let length = split_huge(v, &mut direction);
        (Vec3::from_array(direction), length)
    }
}

/// [`split`] for a vector whose square is too large, or which is no vector.
///
/// It does not return the direction, as functions return a `Vec3` in registers for integers, and its callers would move all
/// their vectors through those.
#[cold]
#[inline(never)]
fn split_huge(v: Vec3, direction: &mut [f32; 3]) -> f32 {
    if !v.is_finite() {
        return f32::MAX;
    }
    let scale = v.abs().max_element();
    let scaled = v / scale;
    let length = scaled.length();
    *direction = (scaled / length).to_array();
    (length * scale).min(f32::MAX)
}

/// `v`, but no longer than `max`. Direction is kept: no clamping axis by axis.
///
/// Zero if `v` is not finite or `max` is not above zero.
#[inline(always)]
pub(crate) fn truncate(v: Vec3, max: f32) -> Vec3 {
    let (squared, limit) = (v.length_squared(), max * max);
    if max > 0.0 && limit.is_normal() && squared.is_finite() {
        // Without a branch: at top speed rounding decides which way it would go. The factor is exactly one within the limit.
        v * (max / squared.sqrt()).min(1.0)
    } else {
        let mut truncated = [0.0; 3];
        truncate_wide(v, max, &mut truncated);
        Vec3::from_array(truncated)
    }
}

/// [`truncate`] where a square is too large or too small for an `f32`; it never is for an `f64`.
#[cold]
#[inline(never)]
fn truncate_wide(v: Vec3, max: f32, truncated: &mut [f32; 3]) {
    if max > 0.0 && v.is_finite() {
        let (wide, max) = (v.as_dvec3(), f64::from(max));
        let length = wide.length();
        *truncated = if length <= max { v } else { (wide * (max / length)).as_vec3() }.to_array();
    }
}

/// Whether all its numbers are finite. In a few plain operations: every agent is asked in every tick.
#[inline(always)]
pub(crate) fn is_finite(v: Vec3) -> bool {
    // Zero times a number is zero, times anything else it is not a number.
    (v.x * 0.0 + v.y * 0.0) + v.z * 0.0 == 0.0
}

/// The part of `v` perpendicular to the unit vector `axis`.
#[inline]
pub(crate) fn perpendicular(v: Vec3, axis: Vec3) -> Vec3 {
    v - axis * v.dot(axis)
}

/// The world's directions of an entity's local axes. In plain arithmetic, which is the same on every platform.
#[inline]
pub(crate) fn local_axes(rotation: Quat) -> [Vec3; 3] {
    let [x, y, z, w] = rotation.to_array();
    [
        Vec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        Vec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncate_keeps_the_direction_at_every_magnitude() {
        assert_eq!(truncate(Vec3::new(3.0, 4.0, 0.0), 10.0), Vec3::new(3.0, 4.0, 0.0));
        assert_eq!(truncate(Vec3::new(3.0, 4.0, 0.0), 2.5), Vec3::new(1.5, 2.0, 0.0));
        let huge = truncate(Vec3::new(3e30, 4e30, 0.0), 5.0);
        assert!((huge - Vec3::new(3.0, 4.0, 0.0)).length() < 1e-5, "{huge}");
        assert_eq!(truncate(Vec3::X, 0.0), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X, -5.0), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X, f32::NAN), Vec3::ZERO);
        assert_eq!(truncate(Vec3::X * 1e38, 1e30), Vec3::X * 1e30);
        assert_eq!(truncate(Vec3::X * 1e30, 1e38), Vec3::X * 1e30);
        assert_eq!(truncate(Vec3::X * 1e-25, 1e-30), Vec3::X * 1e-30);
        assert_eq!(truncate(Vec3::X * 1e30, f32::INFINITY), Vec3::X * 1e30);
        assert_eq!(truncate(Vec3::new(f32::NAN, 1.0, 0.0), 5.0), Vec3::ZERO);
    }

    #[test]
    fn one_bad_number_is_found() {
        assert!(is_finite(Vec3::splat(f32::MAX)) && is_finite(Vec3::splat(-f32::MAX)));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for axis in 0..3 {
                let mut v = Vec3::ONE;
                v[axis] = bad;
                assert!(!is_finite(v));
            }
        }
    }

    #[test]
    fn split_gives_direction_and_length_or_zero() {
        assert_eq!(split(Vec3::new(0.0, 0.0, 2.0)), (Vec3::Z, 2.0));
        assert_eq!(split(Vec3::splat(1e-9)), (Vec3::ZERO, 0.0));
        let (direction, length) = split(Vec3::splat(1e30));
        assert!(direction.is_normalized() && length > 1e30);
        assert_eq!(split(Vec3::splat(f32::NAN)).0, Vec3::ZERO);
        assert_eq!(split(Vec3::splat(f32::INFINITY)).0, Vec3::ZERO);
        assert_eq!(split(Vec3::new(f32::NAN, 1.0, 0.0)).0, Vec3::ZERO);
    }

    #[test]
    fn local_axes_are_what_the_rotation_makes_of_the_worlds() {
        let rotation = Quat::from_euler(EulerRot::XYZ, 0.3, -1.2, 2.0);
        for (axis, world) in local_axes(rotation).into_iter().zip([Vec3::X, Vec3::Y, Vec3::Z]) {
            assert!((axis - rotation * world).length() < 1e-6);
        }
    }
}
