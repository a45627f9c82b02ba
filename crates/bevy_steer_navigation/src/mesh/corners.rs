//! How a body goes round a corner.

use bevy::prelude::*;

use crate::mesh::funnel::Bend;

/// The bends around one vertex, which are one corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// The vertex.
    pub(super) vertex: usize,
    /// Whether the vertex is to the left of the path.
    pub(super) is_left: bool,
    /// Where the path reaches the corner.
    pub(super) first: Turn,
    /// Where it leaves it.
    pub(super) last: Turn,
}

/// A place on a path, in a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The index of the gate.
    pub(super) gate: usize,
    /// The place in it.
    pub(super) place: Vec2,
}

/// Joins bends that follow each other around the same vertex.
pub(super) fn corners(bends: &[Bend]) -> Vec<Corner> {
    let same = bends.chunk_by(|a, b| a.vertex == b.vertex && a.is_left == b.is_left);
    let corner = |some: &[Bend]| {
        let (first, last) = (some.first()?, some.last()?);
        let Bend { vertex, is_left, .. } = *first;
        let turn = |bend: &Bend| Turn { gate: bend.gate, place: bend.place };
        Some(Corner { vertex, is_left, first: turn(first), last: turn(last) })
    };
    same.filter_map(corner).collect()
}

/// The points of a path that passes a vertex at a distance, and comes and goes in these directions
/// (unit vectors): where the tangents of the circle around the vertex cross. A turn of more than a
/// right angle has two.
pub(super) fn round(
    vertex: Vec2,
    is_left: bool,
    comes: Vec2,
    goes: Vec2,
    distance: f32,
) -> Vec<Vec2> {
    let outwards = |along: Vec2| if is_left { -along.perp() } else { along.perp() };
    let crossing = |from: Vec2, to: Vec2| {
        let [a, b] = [outwards(from), outwards(to)];
        // The cosine of half of the angle between them is half the length of their sum.
        vertex + (a + b) * (2.0 * distance / (a + b).length_squared().max(1.0))
    };
    if comes.dot(goes) >= 0.0 {
        return vec![crossing(comes, goes)];
    }
    // Halfway round: towards the side of the vertex, also for one that turns back.
    let inwards = -outwards(comes);
    let half = (comes + goes).normalize_or(inwards);
    let between = if half.dot(inwards) < 0.0 { -half } else { half };
    vec![crossing(comes, between), crossing(between, goes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How near the path through these points, with long ways in and out, comes to the origin.
    fn nearest(points: &[Vec2], comes: Vec2, goes: Vec2) -> f32 {
        let first = points[0] - comes * 50.0;
        let last = points[points.len() - 1] + goes * 50.0;
        let all: Vec<Vec2> = [first].into_iter().chain(points.to_vec()).chain([last]).collect();
        let near = all
            .windows(2)
            .map(|pair| crate::planar::nearest_on_segment(Vec2::ZERO, pair[0], pair[1]).length());
        near.fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn the_path_passes_at_the_distance_on_the_outside() {
        for turn in [5.0_f32, 45.0, 89.0, 91.0, 120.0, 150.0, 175.0, 180.0] {
            for is_left in [true, false] {
                let sign = if is_left { 1.0 } else { -1.0 };
                let (comes, goes) = (Vec2::X, Vec2::from_angle(sign * turn.to_radians()));
                let points = round(Vec2::ZERO, is_left, comes, goes, 2.0);
                let near = nearest(&points, comes, goes);
                assert!((near - 2.0).abs() < 1e-3, "{turn} {is_left}: {near}, {points:?}");
                // The vertex is on the left of the path's first leg, or on the right.
                let side = comes.perp_dot(-points[0]) * sign;
                assert!(side > 0.0, "{turn} {is_left}: {points:?}");
                assert!(points.iter().all(|point| point.length() < 2.0 * 1.5), "{points:?}");
            }
        }
    }

    #[test]
    fn bends_around_one_vertex_are_one_corner() {
        let bend = |vertex, x: f32| Bend { gate: 7, vertex, is_left: true, place: Vec2::X * x };
        let found = corners(&[bend(4, 1.0), bend(4, 2.0), bend(4, 3.0), bend(6, 4.0)]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].first.place, found[0].last.place), (Vec2::X, Vec2::X * 3.0));
        assert_eq!(corners(&[]), []);
    }
}
