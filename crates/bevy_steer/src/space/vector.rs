//! Helpers on one vector, the kernels of [`simd`] as scalar code; and on line segments.

use bevy::prelude::*;

pub(crate) use crate::simd::NEGLIGIBLE;
use crate::simd::{self, One};

/// `v` at length one, or zero if it is too short to have a direction.
#[inline]
pub(crate) fn direction(v: Vec3) -> Vec3 {
    split(v).0
}

/// Direction and length of `v`; both zero if it is too short to have a direction.
#[inline]
pub(crate) fn split(v: Vec3) -> (Vec3, f32) {
    let (direction, length) = simd::split(One, v.to_array());
    (direction.into(), length)
}

/// `v`, but no longer than `max`. Direction is kept: no clamping axis by axis. Zero if `max` is not
/// above zero.
#[inline]
pub(crate) fn truncate(v: Vec3, max: f32) -> Vec3 {
    simd::truncate(One, v.to_array(), max).into()
}

/// Whether all its coordinates are numbers within [`MAX_MAGNITUDE`](simd::MAX_MAGNITUDE).
#[inline]
pub(crate) fn is_valid(v: Vec3) -> bool {
    simd::is_valid(One, v.to_array())
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

/// The point of a segment that is nearest to `point`.
pub(crate) fn nearest_on_segment(point: Vec3, start: Vec3, end: Vec3) -> Vec3 {
    let along = end - start;
    let squared = along.length_squared();
    if squared > 0.0 {
        start + along * ((point - start).dot(along) / squared).clamp(0.0, 1.0)
    } else {
        start
    }
}

/// The shortest vector from a point of one segment to a point of another: each is given by where it
/// begins, and the vector from there to its end.
///
/// After Ericson (2005), "Real-Time Collision Detection", section 5.1.9.
pub(crate) fn segment_gap((from, way): (Vec3, Vec3), (start, along): (Vec3, Vec3)) -> Vec3 {
    let between = from - start;
    let (own, other) = (way.length_squared(), along.length_squared());
    let [own, other] = [own, other].map(|squared| squared.max(f32::MIN_POSITIVE));
    let (across, ahead, aside) = (way.dot(along), way.dot(between), along.dot(between));
    let skew = own * other - across * across;
    let share = if skew > 0.0 { (across * aside - ahead * other) / skew } else { 0.0 };
    let place = (across * share.clamp(0.0, 1.0) + aside) / other;
    let place = place.clamp(0.0, 1.0);
    // The nearest point of the first to that one: the same, unless that is an end of the other.
    let share = ((across * place - ahead) / own).clamp(0.0, 1.0);
    start + along * place - (from + way * share)
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

    #[test]
    fn gaps_of_segments_are_the_shortest() {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        for round in 0..2000 {
            let depth = if round % 2 == 0 { 0.0 } else { 1.0 };
            let mut vector = || Vec3::new(next(), next(), next() * depth);
            let (from, way, start) = (vector(), vector(), vector());
            // Parallel ones and points too.
            let along = [vector(), way * 0.7, Vec3::ZERO][round % 3];
            let gap = segment_gap((from, way), (start, along)).length();
            let places = (0..=200).map(|i| from + way * (i as f32 / 200.0));
            let sampled = places
                .map(|place| place.distance(nearest_on_segment(place, start, start + along)))
                .fold(f32::INFINITY, f32::min);
            assert!(gap <= sampled + 1e-4 && gap >= sampled - 1e-2, "{round}: {gap} {sampled}");
        }
    }
}
