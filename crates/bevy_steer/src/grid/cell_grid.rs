//! [`CellGrid`]: the cells of a uniform grid, without limits to the world.
//!
//! The grid is endless, but only about as many cells are stored as there are points: cells with
//! coordinates that are equal modulo the size of the stored table share a bucket. So a few points
//! far away cost nothing, and in a world that wraps the table is exactly one period, which makes
//! neighbours across the seam neighbours in the table.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    grid::axis::Axis,
    space::{bounds::Bounds, plane::SteeringPlane},
};

/// On one axis, to begin with.
const MOST_CELLS: f32 = 1e6;

/// Where the points of each bucket begin, in an order of points that is kept elsewhere. Rows of
/// buckets along `x` are contiguous.
#[derive(Debug, Default)]
pub(crate) struct CellGrid {
    pub(crate) axes: [Axis; 3],
    /// For each bucket the first of its points; one more at the end.
    pub(crate) starts: Vec<u32>,
}

impl CellGrid {
    /// Lays out a table for `count` points that mostly lie from `low` to `high`, with cells of this
    /// size or somewhat larger.
    pub(crate) fn lay_out(
        &mut self,
        count: usize,
        plane: SteeringPlane,
        bounds: &Bounds,
        cells: Vec3,
        (low, high): (Vec3, Vec3),
    ) {
        let extents = high - low;
        self.axes = [Axis::default(); 3];
        for axis in plane.axes() {
            let cell = cells[axis];
            let cell = if cell.is_finite() && cell > f32::MIN_POSITIVE { cell } else { 1.0 };
            self.axes[axis] = match bounds.period(axis) {
                // No narrower than requested: a query then visits no more cells than it must.
                Some(period) => {
                    let buckets = (period / cell).clamp(1.0, MOST_CELLS).floor();
                    let origin = bounds.min[axis];
                    let cell = period / buckets;
                    Axis {
                        origin,
                        cell,
                        per_unit: buckets / period,
                        buckets: buckets as u32,
                        period,
                    }
                }
                None => {
                    let buckets = (extents[axis] / cell + 1.0).clamp(1.0, MOST_CELLS).ceil();
                    let buckets = (buckets as u32).max(1);
                    Axis { origin: 0.0, cell, per_unit: 1.0 / cell, buckets, period: 0.0 }
                }
            };
        }
        self.shrink(2 * count as u64 + 16);
        self.center_on(low + 0.5 * extents);
    }

    /// Puts the middle of the table here, on axes on which the world does not wrap: points near it
    /// then need no folding.
    fn center_on(&mut self, middle: Vec3) {
        for (axis, middle) in self.axes.iter_mut().zip(middle.to_array()) {
            if axis.period == 0.0 && axis.cell.is_finite() && middle.is_finite() {
                axis.origin = middle - 0.5 * axis.buckets as f32 * axis.cell;
            }
        }
    }

    /// Reduces the buckets of the longest axis until there are no more than `most`.
    fn shrink(&mut self, most: u64) {
        let total =
            |axes: &[Axis; 3]| -> u64 { axes.iter().map(|axis| u64::from(axis.buckets)).product() };
        loop {
            let total = total(&self.axes);
            if total <= most {
                return;
            }
            let Some(longest) = self.axes.iter_mut().max_by_key(|axis| axis.buckets) else {
                return;
            };
            let fitting = (u64::from(longest.buckets) * most / total) as u32;
            longest.buckets = fitting.max(longest.buckets / 2).max(1);
            if longest.period > 0.0 {
                longest.cell = longest.period / longest.buckets as f32;
                longest.per_unit = longest.buckets as f32 / longest.period;
            }
        }
    }

    pub(crate) fn bucket_count(&self) -> usize {
        self.axes.iter().map(|axis| axis.buckets as usize).product()
    }

    /// The number of rows of buckets, and the number of buckets of a row.
    pub(crate) fn rows(&self) -> (usize, usize) {
        let [x, y, z] = &self.axes;
        (y.buckets as usize * z.buckets as usize, x.buckets as usize)
    }

    #[inline(always)]
    pub(crate) fn bucket_of(&self, position: Vec3) -> u32 {
        let [x, y, z] = &self.axes;
        let fold = |axis: &Axis, x: f32| axis.fold(axis.cell_of(x));
        (fold(z, position.z) * y.buckets + fold(y, position.y)) * x.buckets + fold(x, position.x)
    }

    /// The bucket of a position, given by its `D` coordinates in a plane.
    #[inline(always)]
    pub(crate) fn bucket_in<const D: usize>(&self, place: [f32; 3], plane: SteeringPlane) -> u32 {
        let [x, y, z] = &self.axes;
        let fold = |axis: &Axis, x: f32| axis.fold(axis.cell_of(x));
        let second = if plane == SteeringPlane::Xz { z } else { y };
        let row = if D == 3 { fold(z, place[2]) * y.buckets } else { 0 };
        (row + fold(second, place[1])) * x.buckets + fold(x, place[0])
    }

    /// Sorts `count` points by bucket; returns their indices in that order. Points of one bucket
    /// keep their order.
    pub(crate) fn sort(&mut self, count: usize, position: impl Fn(usize) -> Vec3) -> Vec<u32> {
        let keys: Vec<u32> = (0..count).map(|index| self.bucket_of(position(index))).collect();
        self.starts.clear();
        self.starts.resize(self.bucket_count() + 1, 0);
        for &key in &keys {
            self.starts[key as usize + 1] += 1;
        }
        for bucket in 1..self.starts.len() {
            self.starts[bucket] += self.starts[bucket - 1];
        }
        let mut next = self.starts.clone();
        let mut order = vec![0; count];
        for (index, &key) in keys.iter().enumerate() {
            let slot = &mut next[key as usize];
            order[*slot as usize] = index as u32;
            *slot += 1;
        }
        order
    }

    /// The width of a cell on its narrowest axis.
    pub(crate) fn cell(&self) -> f32 {
        self.axes.iter().fold(f32::INFINITY, |width, axis| width.min(axis.cell))
    }

    /// The points of `count` buckets of a row, from the bucket `first` on.
    #[inline(always)]
    pub(crate) fn run(&self, row: usize, first: u32, count: u32) -> Range<usize> {
        let first = row * self.axes[0].buckets as usize + first as usize;
        self.starts[first] as usize..self.starts[first + count as usize] as usize
    }

    /// The runs of sorted points that hold every point from `min` to `max`, and others. Each point
    /// comes once.
    pub(crate) fn runs(&self, min: Vec3, max: Vec3) -> Runs<'_> {
        Runs { grid: self, spans: self.spans(min, max), next: (0, 0), rest: 0..0 }
    }

    /// Calls `f` with each of the [`runs`](Self::runs) that is not empty. Faster than the iterator.
    #[inline(always)]
    pub(crate) fn for_each_run(&self, min: Vec3, max: Vec3, mut f: impl FnMut(Range<usize>)) {
        let Some(spans) = self.spans(min, max) else { return };
        for j in 0..spans.z.1 {
            for i in 0..spans.y.1 {
                for run in self.row_runs(&spans, i, j) {
                    if run.start < run.end {
                        f(run);
                    }
                }
            }
        }
    }

    /// The number of points in the runs of a box.
    #[inline(always)]
    pub(crate) fn count(&self, min: Vec3, max: Vec3) -> usize {
        let mut count = 0;
        self.for_each_run(min, max, |run| count += run.len());
        count
    }

    /// The buckets from `min` to `max`, if there are any.
    #[inline(always)]
    fn spans(&self, min: Vec3, max: Vec3) -> Option<Spans> {
        let [x, y, z] = &self.axes;
        let (x_span, y, z) = (x.span(min.x, max.x), y.span(min.y, max.y), z.span(min.z, max.z));
        let before_end = x_span.1.min(x.buckets - x_span.0);
        let is_empty = self.starts.is_empty() || x_span.1 == 0 || y.1 == 0 || z.1 == 0;
        let x = (x_span.0, before_end);
        (!is_empty).then_some(Spans { x, x_rest: x_span.1 - before_end, y, z })
    }

    /// The points of the `i`th row in `y` and the `j`th in `z`: one run, or two where it continues
    /// beyond the end of the table.
    #[inline(always)]
    fn row_runs(&self, spans: &Spans, i: u32, j: u32) -> [Range<usize>; 2] {
        let cyclic =
            |bucket: u32, buckets: u32| if bucket < buckets { bucket } else { bucket - buckets };
        let [_, y, z] = &self.axes;
        let layer = cyclic(spans.z.0 + j, z.buckets) * y.buckets;
        let row = (layer + cyclic(spans.y.0 + i, y.buckets)) as usize;
        let rest = if spans.x_rest > 0 { self.run(row, 0, spans.x_rest) } else { 0..0 };
        [self.run(row, spans.x.0, spans.x.1), rest]
    }

    /// Whether a search from `min` to `max` would look at every bucket.
    pub(crate) fn is_everything(&self, min: Vec3, max: Vec3) -> bool {
        (0..3).all(|axis| {
            let Axis { buckets, .. } = self.axes[axis];
            self.axes[axis].span(min[axis], max[axis]).1 == buckets
        })
    }
}

/// The buckets of a box: on each axis the first, and their number, counted cyclically.
#[derive(Clone, Copy)]
struct Spans {
    /// As far as the end of the table.
    x: (u32, u32),
    /// The number beyond it, counted from the first.
    x_rest: u32,
    y: (u32, u32),
    z: (u32, u32),
}

/// See [`CellGrid::runs`].
pub(crate) struct Runs<'a> {
    grid: &'a CellGrid,
    spans: Option<Spans>,
    /// The next row in `y` and `z`.
    next: (u32, u32),
    /// The part of the last row beyond the end of the table.
    rest: Range<usize>,
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        let rest = core::mem::take(&mut self.rest);
        if rest.start < rest.end {
            return Some(rest);
        }
        let spans = self.spans.as_ref()?;
        let (i, j) = self.next;
        if j >= spans.z.1 {
            return None;
        }
        self.next = if i + 1 < spans.y.1 { (i + 1, j) } else { (0, j + 1) };
        let [run, rest] = self.grid.row_runs(spans, i, j);
        self.rest = rest;
        Some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grid::extent::Extent, space::bounds::BoundsEdge};

    fn sorted(points: &[Vec3], bounds: &Bounds, cell: f32) -> (CellGrid, Vec<u32>) {
        let mut grid = CellGrid::default();
        let table = Extent::of(points).table;
        grid.lay_out(points.len(), SteeringPlane::Xy, bounds, Vec3::splat(cell), table);
        let order = grid.sort(points.len(), |i| points[i]);
        (grid, order)
    }

    fn found((grid, order): &(CellGrid, Vec<u32>), min: Vec3, max: Vec3) -> Vec<u32> {
        let mut found: Vec<u32> = grid.runs(min, max).flat_map(|run| order[run].to_vec()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn box_holds_its_points_once() {
        let points: Vec<Vec3> =
            (0..200).map(|i| Vec3::new((i % 20) as f32 - 10.0, (i / 20) as f32, 0.0)).collect();
        let sorted = sorted(&points, &Bounds::UNBOUNDED, 1.5);
        let everything = found(&sorted, Vec3::splat(-1e9), Vec3::splat(1e9));
        assert_eq!(everything, (0..200).collect::<Vec<_>>());
        let (min, max) = (Vec3::new(-2.0, 3.0, 0.0), Vec3::new(4.0, 6.0, 0.0));
        let some = found(&sorted, min, max);
        for (i, point) in points.iter().enumerate() {
            if point.cmpge(min).all() && point.cmple(max).all() {
                assert!(some.contains(&(i as u32)), "{point}");
            }
        }
        assert!(some.len() < 120, "a small box must not look at everything: {}", some.len());
    }

    #[test]
    fn far_point_keeps_cells_small() {
        let far = Vec3::new(1e30, -1e6, 0.0);
        let mut points: Vec<Vec3> =
            (0..1000).map(|i| Vec3::new((i % 32) as f32, (i / 32) as f32, 0.0)).collect();
        points.push(far);
        let sorted = sorted(&points, &Bounds::UNBOUNDED, 1.0);
        let near = found(&sorted, Vec3::splat(3.0), Vec3::splat(4.0));
        assert!(near.len() <= 10, "{}", near.len());
        assert!(found(&sorted, far, far).contains(&1000));
    }

    #[test]
    fn wrapping_table_is_one_period() {
        let bounds = Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), BoundsEdge::Wrap);
        let points = [Vec3::new(-9.9, 0.0, 0.0), Vec3::new(9.9, 0.0, 0.0)];
        let sorted = sorted(&points, &bounds, 1.0);
        let across = found(&sorted, Vec3::new(9.5, -0.1, 0.0), Vec3::new(10.5, 0.1, 0.0));
        assert_eq!(across, [0, 1]);
    }

    #[test]
    fn expected_points_need_no_folding() {
        let mut grid = CellGrid::default();
        let (low, high) = (Vec3::new(-300.0, 40.0, -7.0), Vec3::new(-20.0, 90.0, 8.0));
        let cells = Vec3::new(2.0, 3.0, 4.0);
        grid.lay_out(10_000, SteeringPlane::Free, &Bounds::UNBOUNDED, cells, (low, high));
        for (d, axis) in grid.axes.iter().enumerate() {
            for part in 0..=8 {
                let cell = axis.cell_of(low[d] + (high - low)[d] * part as f32 / 8.0);
                assert!((0..axis.buckets as i32).contains(&cell), "{d} {part}: {cell}");
            }
        }
    }

    #[test]
    fn table_slightly_too_large_shrinks_slightly() {
        let mut grid = CellGrid::default();
        let (cells, table) = (Vec3::splat(1.0), (Vec3::ZERO, Vec3::new(109.0, 29.0, 0.0)));
        grid.lay_out(1500, SteeringPlane::Xy, &Bounds::UNBOUNDED, cells, table);
        assert!((2900..=3016).contains(&grid.bucket_count()), "{}", grid.bucket_count());
    }

    #[test]
    fn buckets_are_limited_by_points() {
        for extents in [Vec3::splat(1e30), Vec3::new(1e7, 1.0, 1.0), Vec3::INFINITY, Vec3::NAN] {
            let mut grid = CellGrid::default();
            let cells = Vec3::splat(1e-3);
            let table = (Vec3::ZERO, extents);
            grid.lay_out(1000, SteeringPlane::Free, &Bounds::UNBOUNDED, cells, table);
            assert!(grid.bucket_count() <= 2016, "{extents} {}", grid.bucket_count());
        }
    }
}
