//! [`Polyline`]: from a distance along a path to a point, and from a point to the nearest distance
//! near the last one. A [`SegmentTree`] skips distant parts.

use core::ops::Range;

use bevy::{math::ops, prelude::*};

use crate::space::nearest_on_segment;

/// Points, and the distance of each along the line.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Polyline {
    points: Vec<Vec3>,
    /// For each point the length of the line up to it; and the length of the closed line.
    lengths: Vec<f32>,
    tree: SegmentTree,
}

impl Polyline {
    pub(crate) fn new(points: Vec<Vec3>) -> Self {
        let mut lengths = Vec::with_capacity(points.len() + 1);
        let mut length = 0.0;
        for (i, point) in points.iter().enumerate() {
            lengths.push(length);
            length += point.distance(points[(i + 1) % points.len()]);
        }
        lengths.push(length);
        let tree = SegmentTree::new(&points);
        Self { points, lengths, tree }
    }

    pub(crate) fn points(&self) -> &[Vec3] {
        &self.points
    }

    pub(crate) fn length(&self, closed: bool) -> f32 {
        self.lengths.get(self.segments(closed)).copied().unwrap_or(0.0)
    }

    /// See [`Path::point_at`](super::Path::point_at).
    pub(crate) fn point_at(&self, distance: f32, closed: bool) -> Vec3 {
        let length = self.length(closed);
        let Some(&first) = self.points().first() else {
            return Vec3::ZERO;
        };
        if length.is_nan() || length <= 0.0 || distance.is_nan() {
            return first;
        }
        let distance =
            if closed { ops::rem_euclid(distance, length) } else { distance.clamp(0.0, length) };
        let segment = self.segment_at(distance, closed);
        let (start, end) = self.segment(segment);
        let (from, to) = (self.lengths[segment], self.lengths[segment + 1]);
        if to > from {
            start + (end - start) * ((distance - from) / (to - from)).clamp(0.0, 1.0)
        } else {
            start
        }
    }

    /// See [`Path::project`](super::Path::project); for an agent on its way to the end (`forward`
    /// is 1) or the beginning (−1).
    pub(crate) fn project(
        &self,
        point: Vec3,
        near: f32,
        reach: f32,
        closed: bool,
        forward: f32,
    ) -> f32 {
        let length = self.length(closed);
        if length.is_nan() || length <= 0.0 {
            return 0.0;
        }
        let segments = self.segments(closed);
        let reach = if reach >= 0.0 { reach.min(length) } else { 0.0 };
        let near = if closed { ops::rem_euclid(near, length) } else { near.clamp(0.0, length) };
        // A smaller difference in distance is rounding.
        let slack = 8.0 * f32::EPSILON * (point.abs().max_element() + length);
        let mut best = Candidate { away: f32::INFINITY, detour: f32::INFINITY, along: near };
        let look = |best: &mut Candidate, segment: usize, round: f32| {
            let from = self.lengths[segment] + round;
            let to = self.lengths[segment + 1] + round;
            let (low, high) = ((near - reach).max(from), (near + reach).min(to));
            if low > high || to <= from {
                return;
            }
            let (start, end) = self.segment(segment);
            let point_at =
                |distance: f32| start + (end - start) * ((distance - from) / (to - from));
            let (low_point, high_point) = (point_at(low), point_at(high));
            let nearest = nearest_on_segment(point, low_point, high_point);
            let away = nearest.distance(point);
            let along = low + low_point.distance(nearest);
            let detour = detour((along - near) * forward, 0.25 * reach);
            let is_nearer = away < best.away - slack;
            if is_nearer || (away <= best.away + slack && detour < best.detour) {
                *best = Candidate { away, detour, along };
            }
        };
        // Start at the previous position, which is probably close: then other parts are skipped.
        let here = self.segment_at(near, closed);
        look(&mut best, here, 0.0);
        let rounds = if closed { &[-length, 0.0, length][..] } else { &[0.0] };
        for &round in rounds {
            let (low, high) = (near - reach - round, near + reach - round);
            let is_here = self.lengths[here] <= low && high <= self.lengths[here + 1];
            if high < 0.0 || low > length || (round == 0.0 && is_here) {
                continue;
            }
            let among = self.lengths[1..=segments].partition_point(|&to| to < low)
                ..self.lengths[..segments].partition_point(|&from| from <= high);
            let within = best.away + 2.0 * slack;
            let look = |some: Range<usize>| {
                some.for_each(|segment| look(&mut best, segment, round));
                best.away + 2.0 * slack
            };
            self.tree.search(&mut NearestSearch { point, among, within, look });
        }
        let along = best.along;
        if closed { ops::rem_euclid(along, length) } else { along.clamp(0.0, length) }
    }

    /// The index of the first point that is at least this far along the path; the number of points
    /// if there is none.
    pub(crate) fn first_from(&self, distance: f32) -> usize {
        self.lengths[..self.points.len()].partition_point(|&length| length < distance)
    }

    /// The distance along the path of its point with this index.
    pub(crate) fn distance_of(&self, index: usize) -> f32 {
        self.lengths.get(index).copied().unwrap_or(0.0)
    }

    fn segments(&self, closed: bool) -> usize {
        let count = self.points.len();
        if closed { count } else { count.saturating_sub(1) }
    }

    fn segment(&self, index: usize) -> (Vec3, Vec3) {
        let points = self.points();
        (points[index], points[(index + 1) % points.len()])
    }

    fn segment_at(&self, distance: f32, closed: bool) -> usize {
        let after = self.lengths.partition_point(|&length| length <= distance);
        after.saturating_sub(1).min(self.segments(closed).saturating_sub(1))
    }
}

/// A point of the path that may be the closest.
struct Candidate {
    away: f32,
    detour: f32,
    along: f32,
}

/// The penalty of a point at this distance along the path, for points that are equally close: a
/// point slightly `ahead` is preferred to all points behind, so that an agent that turns around at
/// a dead end reaches the other branch.
fn detour(ahead: f32, a_little: f32) -> f32 {
    if ahead < 0.0 {
        -1.01 * ahead
    } else if ahead <= a_little {
        1e-3 * ahead
    } else {
        ahead
    }
}

/// The number of segments in a leaf. A short path is a single leaf.
const LEAF: usize = 8;

/// A complete binary tree of bounding boxes, the children of node `i` being `2i + 1` and `2i + 2`.
#[derive(Debug, Default, PartialEq)]
struct SegmentTree {
    boxes: Vec<[Vec3; 2]>,
    /// A power of two.
    leaves: usize,
}

/// A search in a tree.
struct NearestSearch<F> {
    point: Vec3,
    /// The segments to examine.
    among: Range<usize>,
    /// Boxes farther from the point than this are skipped, in units.
    within: f32,
    /// Examines some segments; returns the new `within`.
    look: F,
}

impl SegmentTree {
    /// The tree of the segments from each point to the next, and from the last to the first.
    fn new(points: &[Vec3]) -> Self {
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut boxes = vec![[Vec3::INFINITY, Vec3::NEG_INFINITY]; 2 * leaves - 1];
        let mut add = |segment: usize, point: Vec3| {
            let [low, high] = &mut boxes[leaves - 1 + segment / LEAF];
            (*low, *high) = (low.min(point), high.max(point));
        };
        for (i, &point) in points.iter().enumerate() {
            add(i, point);
            add((i + points.len() - 1) % points.len(), point);
        }
        for node in (0..leaves - 1).rev() {
            let [[a, b], [c, d]] = [boxes[2 * node + 1], boxes[2 * node + 2]];
            boxes[node] = [a.min(c), b.max(d)];
        }
        Self { boxes, leaves }
    }

    /// Examines the segments that may be close.
    fn search<F: FnMut(Range<usize>) -> f32>(&self, search: &mut NearestSearch<F>) {
        self.visit(0, 0..self.leaves * LEAF, search);
    }

    fn visit<F: FnMut(Range<usize>) -> f32>(
        &self,
        node: usize,
        span: Range<usize>,
        search: &mut NearestSearch<F>,
    ) {
        let among = span.start.max(search.among.start)..span.end.min(search.among.end);
        let away = |node: usize| {
            let [low, high] = self.boxes[node];
            search.point.distance(search.point.max(low).min(high))
        };
        if among.is_empty() || away(node) > search.within {
            return;
        }
        if node + 1 >= self.leaves {
            search.within = (search.look)(among);
            return;
        }
        let middle = usize::midpoint(span.start, span.end);
        let mut halves = [(2 * node + 1, span.start..middle), (2 * node + 2, middle..span.end)];
        // The closer one first: its segments may allow to skip the other one.
        if away(2 * node + 2) < away(2 * node + 1) {
            halves.reverse();
        }
        for (node, span) in halves {
            self.visit(node, span, search);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Path;

    fn square() -> Path {
        Path::new([Vec2::ZERO, Vec2::new(10.0, 0.0), Vec2::new(10.0, 10.0), Vec2::new(0.0, 10.0)])
    }

    #[test]
    fn points_along_the_way() {
        let path = square();
        assert_eq!(path.point_at(15.0, false), Vec3::new(10.0, 5.0, 0.0));
        assert_eq!(path.point_at(99.0, false), Vec3::new(0.0, 10.0, 0.0));
        assert_eq!(path.point_at(-1.0, false), Vec3::ZERO);
        assert_eq!(path.point_at(35.0, true), Vec3::new(0.0, 5.0, 0.0));
        assert_eq!(path.point_at(45.0, true), Vec3::new(5.0, 0.0, 0.0));
        assert_eq!(path.point_at(-5.0, true), Vec3::new(0.0, 5.0, 0.0));
    }

    #[test]
    fn projection_is_nearest_within_reach() {
        let path = square();
        assert_eq!(path.project(Vec3::new(4.0, -3.0, 0.0), 0.0, 99.0, false), 4.0);
        assert_eq!(path.project(Vec3::new(20.0, 7.0, 0.0), 10.0, 99.0, false), 17.0);
        // The nearest is out of reach: the best of what is in reach.
        assert_eq!(path.project(Vec3::new(2.0, 9.0, 0.0), 4.0, 3.0, false), 2.0);
        // Out and back on the same line: what comes next.
        let there_and_back = Path::new([Vec2::ZERO, Vec2::X * 10.0]);
        for (x, near, expected) in [
            (9.5, 9.4, 9.5),
            (9.5, 9.9, 10.5),
            (0.5, 19.4, 19.5),
            (0.5, 19.9, 0.5),
            (0.5, 0.4, 0.5),
        ] {
            let place = there_and_back.project(Vec3::X * x, near, 8.0, true);
            assert!((place - expected).abs() < 1e-5, "{place} for {x} after {near}");
        }
        // Over the seam of a closed path, in both directions.
        assert_eq!(path.project(Vec3::new(-1.0, 3.0, 0.0), 2.0, 8.0, true), 37.0);
        assert_eq!(path.project(Vec3::new(3.0, -1.0, 0.0), 39.0, 8.0, true), 3.0);
    }

    /// A spiral of `count` points, 300 units long or so, and places about it.
    fn spiral(count: usize) -> (Polyline, Vec<Vec3>) {
        let at = |turns: f32| Vec3::new(ops::cos(turns * 6.0), ops::sin(turns * 6.0), 0.0) * turns;
        let points = (0..count).map(|i| at(10.0 * i as f32 / count as f32)).collect();
        (Polyline::new(points), (1..60).map(|i| at(i as f32 / 6.0) * 1.05).collect())
    }

    #[test]
    fn nearest_place_is_that_of_a_search_of_all() {
        let (line, places) = spiral(5_000);
        for place in places {
            for closed in [false, true] {
                let along = line.project(place, 50.0, f32::INFINITY, closed, 1.0);
                let away = line.point_at(along, closed).distance(place);
                let all = (0..line.segments(closed)).map(|segment| {
                    let (start, end) = line.segment(segment);
                    nearest_on_segment(place, start, end).distance(place)
                });
                let nearest = all.fold(f32::INFINITY, f32::min);
                assert!((away - nearest).abs() < 2e-3, "{away} instead of {nearest} at {place}");
            }
        }
    }

    #[test]
    fn few_segments_are_looked_at_however_many_there_are() {
        let looked_at = |count: usize| {
            let (line, places) = spiral(count);
            let each = places.iter().map(|&point| {
                let near = line.project(point, 0.0, f32::INFINITY, false, 1.0);
                let within = line.point_at(near, false).distance(point) * 1.001;
                let mut looked_at = 0;
                let look = |some: Range<usize>| {
                    looked_at += some.len();
                    within
                };
                let among = 0..line.segments(false);
                line.tree.search(&mut NearestSearch { point, among, within, look });
                looked_at
            });
            each.max().unwrap()
        };
        // All of them on a short path; never more than a few leaves.
        assert!(looked_at(8) <= 8, "{}", looked_at(8));
        for count in [100, 1_000, 10_000, 100_000] {
            let most = looked_at(count);
            assert!((1..=128).contains(&most), "{most} of {count}");
        }
    }

    #[test]
    fn degenerate_paths_have_a_place_too() {
        let empty = Path::default();
        assert_eq!(empty.point_at(3.0, true), Vec3::ZERO);
        assert_eq!(empty.project(Vec3::ONE, 0.0, 9.0, true), 0.0);
        let point = Path::new([Vec2::new(3.0, 4.0)]);
        assert_eq!(point.point_at(3.0, true), Vec3::new(3.0, 4.0, 0.0));
        let doubled = Path::new([Vec2::ZERO, Vec2::ZERO, Vec2::X, Vec2::X]);
        assert_eq!(doubled.length(false), 1.0);
        assert_eq!(doubled.point_at(0.5, false), Vec3::X * 0.5);
        assert_eq!(doubled.project(Vec3::X * 0.25, 0.0, 9.0, false), 0.25);
        assert!(!Path::new([Vec3::NAN]).is_finite());
    }

    #[test]
    fn nan_is_the_beginning_of_the_path() {
        let path = square();
        assert_eq!(path.point_at(f32::NAN, false), Vec3::ZERO);
        assert_eq!(path.point_at(f32::NAN, true), Vec3::ZERO);
        assert_eq!(Path::new([Vec2::ONE]).point_at(3.0, true), Vec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn a_little_ahead_is_likelier_than_back_or_far_ahead() {
        let detour = |ahead| detour(ahead, 2.0);
        assert!(detour(0.0) == 0.0 && detour(1.0) < detour(2.0));
        assert!(detour(2.0) < detour(-0.1) && detour(-0.1) < detour(-3.0));
        assert!(detour(3.0) < detour(-3.0) && detour(-3.0) < detour(4.0));
    }
}
