//! [`SegmentTree`]: boxes around the parts of a line, to skip distant parts.

use core::ops::Range;

use bevy::prelude::*;

/// The number of segments in a leaf. A short path is a single leaf.
const LEAF: usize = 8;

/// A complete binary tree of bounding boxes, the children of node `i` being `2i + 1` and `2i + 2`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct SegmentTree {
    boxes: Vec<[Vec3; 2]>,
    /// A power of two.
    leaves: usize,
}

/// A search in a tree.
pub(super) struct NearestSearch<F> {
    pub point: Vec3,
    /// The segments to examine.
    pub among: Range<usize>,
    /// Boxes farther from the point than this are skipped, in units.
    pub within: f32,
    /// Examines some segments; returns the new `within`.
    pub look: F,
}

impl SegmentTree {
    /// The tree of the segments from each point to the next, and from the last to the first.
    pub(super) fn new(points: &[Vec3]) -> Self {
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
    pub(super) fn search<F: FnMut(Range<usize>) -> f32>(&self, search: &mut NearestSearch<F>) {
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
