//! Line segments.

use bevy::prelude::*;

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
