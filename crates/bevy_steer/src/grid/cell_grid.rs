//! [`CellGrid`]: the cells of a uniform grid, without limits to the world; [`Runs`]: the points in
//! a box; [`Axis`]: the cells along one coordinate; and what suits the [`Extent`] of a crowd.
//!
//! The grid is endless, but only about as many cells are stored as there are points: cells with
//! coordinates that are equal modulo the size of the stored table share a bucket. So a few points
//! far away cost nothing, and in a world that wraps the table is exactly one period, which makes
//! neighbours across the seam neighbours in the table.

use core::ops::Range;

use bevy::prelude::*;

use crate::space::{Bounds, SteeringPlane};

/// On one axis, to begin with.
const MOST_CELLS: f32 = 1e6;

/// Where the points of each bucket begin, in an order of points that is kept elsewhere. Rows of
/// buckets along `x` are contiguous.
#[derive(Debug, Default)]
pub(crate) struct CellGrid {
    pub axes: [Axis; 3],
    /// For each bucket the first of its points; one more at the end.
    pub starts: Vec<u32>,
}

impl CellGrid {
    /// Lays out a table for `count` points that usually lie from `low` to `high`, with cells of
    /// this size or somewhat larger.
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
                    Axis::repeating(bounds.min[axis], period, buckets as u32)
                }
                None => {
                    // One more, as cells begin at multiples of their size, and one to spare.
                    let buckets = (extents[axis] / cell + 2.0).clamp(1.0, MOST_CELLS).ceil();
                    let buckets = (buckets as u32).max(1);
                    Axis { origin: 0.0, cell, per_unit: 1.0 / cell, buckets, period: 0.0 }
                }
            };
        }
        self.shrink(2 * count as u64 + 16);
        self.center_on(low + 0.5 * extents);
    }

    /// Puts the middle of the table here, on axes on which the world does not wrap: points near it
    /// then need no folding. Cells begin at multiples of their size, so that points share a cell
    /// wherever others are.
    fn center_on(&mut self, middle: Vec3) {
        for (axis, middle) in self.axes.iter_mut().zip(middle.to_array()) {
            if axis.period == 0.0 && axis.cell.is_finite() && middle.is_finite() {
                let first = middle * axis.per_unit - 0.5 * (axis.buckets - 1) as f32;
                axis.origin = first.floor() * axis.cell;
            }
        }
    }

    /// Reduces the buckets of the longest axis until there are no more than `most`.
    fn shrink(&mut self, most: u64) {
        loop {
            let total: u64 = self.axes.iter().map(|axis| u64::from(axis.buckets)).product();
            if total <= most {
                return;
            }
            let Some(longest) = self.axes.iter_mut().max_by_key(|axis| axis.buckets) else {
                return;
            };
            let fitting = (u64::from(longest.buckets) * most / total) as u32;
            longest.buckets = fitting.max(longest.buckets / 2).max(1);
            if longest.period > 0.0 {
                *longest = Axis::repeating(longest.origin, longest.period, longest.buckets);
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

    /// The bucket of a position that is inside of a world that wraps.
    #[inline]
    pub(crate) fn bucket_inside(&self, position: Vec3) -> u32 {
        self.bucket(position, |axis, cell| {
            // Next to the end of the world rounding may give the cell beyond it, which is seen one
            // period off.
            let last = axis.buckets as i32 - 1;
            axis.fold(if axis.period > 0.0 { cell.clamp(0, last) } else { cell })
        })
    }

    fn bucket(&self, position: Vec3, fold: impl Fn(&Axis, i32) -> u32) -> u32 {
        let [x, y, z] = &self.axes;
        let on = |axis: &Axis, x: f32| fold(axis, axis.cell_of(x));
        (on(z, position.z) * y.buckets + on(y, position.y)) * x.buckets + on(x, position.x)
    }

    /// Sorts `count` points by bucket; returns their indices in that order. Points of one bucket
    /// keep their order.
    pub(crate) fn sort(&mut self, count: usize, position: impl Fn(usize) -> Vec3) -> Vec<u32> {
        let keys: Vec<u32> =
            (0..count).map(|index| self.bucket(position(index), Axis::fold)).collect();
        self.starts.clear();
        self.starts.resize(self.bucket_count() + 1, 0);
        keys.iter().for_each(|&key| self.starts[key as usize] += 1);
        // First where each bucket ends; from there it is filled, the last point first.
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        let mut order = vec![0; count];
        for (index, &key) in keys.iter().enumerate().rev() {
            let start = &mut self.starts[key as usize];
            *start -= 1;
            order[*start as usize] = index as u32;
        }
        order
    }

    /// The points of `count` buckets of a row, from the bucket `first` on.
    #[inline]
    pub(crate) fn run(&self, row: usize, first: u32, count: u32) -> Range<usize> {
        let first = row * self.axes[0].buckets as usize + first as usize;
        self.starts[first] as usize..self.starts[first + count as usize] as usize
    }

    /// The runs of sorted points that hold every point from `min` to `max`, and others. Each point
    /// comes once.
    pub(crate) fn runs(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = Range<usize>> {
        Runs { grid: self, spans: self.spans(min, max), next: (0, 0), rest: 0..0 }
    }

    /// The buckets from `min` to `max`, if there are any.
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
    #[inline]
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
struct Runs<'a> {
    grid: &'a CellGrid,
    spans: Option<Spans>,
    /// The next row in `y` and `z`.
    next: (u32, u32),
    /// The part of the last row beyond the end of the table.
    rest: Range<usize>,
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    #[inline]
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

/// One coordinate of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub origin: f32,
    pub cell: f32,
    pub per_unit: f32,
    pub buckets: u32,
    /// The length after which the world repeats; zero if it does not.
    pub period: f32,
}

impl Default for Axis {
    /// Everything in one cell.
    fn default() -> Self {
        Self { origin: 0.0, cell: f32::INFINITY, per_unit: 0.0, buckets: 1, period: 0.0 }
    }
}

impl Axis {
    /// One period of a world that repeats, cut into cells.
    fn repeating(origin: f32, period: f32, buckets: u32) -> Self {
        let count = buckets as f32;
        Self { origin, cell: period / count, per_unit: count / period, buckets, period }
    }

    /// The cell of a coordinate. Saturates, so that even extreme positions have a cell.
    #[inline]
    pub(crate) fn cell_of(&self, x: f32) -> i32 {
        let scaled = (x - self.origin) * self.per_unit;
        let towards_zero = scaled as i32;
        towards_zero.saturating_sub(i32::from(scaled < towards_zero as f32))
    }

    #[inline]
    fn fold(&self, cell: i32) -> u32 {
        if (cell as u32) < self.buckets {
            cell as u32
        } else {
            i64::from(cell).rem_euclid(i64::from(self.buckets)) as u32
        }
    }

    /// The first and last cell of all points from `min` to `max`, and perhaps one more on either
    /// side.
    #[inline]
    pub(crate) fn cells(&self, min: f32, max: f32) -> (i32, i32) {
        let (min, max) = self.around(min, max);
        (self.cell_of(min), self.cell_of(max))
    }

    /// A little more than from `min` to `max`, so that a point that rounding puts on the other side
    /// of a cell's edge is not missed.
    fn around(&self, min: f32, max: f32) -> (f32, f32) {
        let slack = 4.0 * f32::EPSILON * (min.abs().max(max.abs()) + self.origin.abs());
        (min - slack, max + slack)
    }

    /// The buckets of all cells from `min` to `max`, each once: the first, and how many follow
    /// cyclically.
    #[inline]
    fn span(&self, min: f32, max: f32) -> (u32, u32) {
        if self.buckets == 1 {
            return (0, u32::from(min <= max));
        }
        let (first, last) = self.cells(min, max);
        let count = (i64::from(last) - i64::from(first) + 1).clamp(0, i64::from(self.buckets));
        (self.fold(first), count as u32)
    }
}

/// The extent of a crowd on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// The width of the middle 80 %.
    pub spread: Vec3,
    /// The corners of a suitable table of cells: a little farther than all points, without
    /// stragglers.
    pub table: (Vec3, Vec3),
}

/// A point farther from the middle 80 % than this many times their spread is a straggler. A normal
/// distribution has one in 300.
const STRAGGLER: f32 = 0.65;
/// How much farther than a sample a table reaches on either side, as a share: few points are
/// farther out than all of a hundred.
const MARGIN: f32 = 0.04;

impl Extent {
    /// The extent of some points, or of a sample of them.
    pub(crate) fn of(points: &[Vec3]) -> Self {
        let along = |axis: usize| Self::along(points.iter().map(|point| point[axis]).collect());
        let [x, y, z] = [along(0), along(1), along(2)];
        Self {
            spread: Vec3::new(x.0, y.0, z.0),
            table: (Vec3::new(x.1, y.1, z.1), Vec3::new(x.2, y.2, z.2)),
        }
    }

    /// The spread, and the two ends of a table.
    fn along(mut points: Vec<f32>) -> (f32, f32, f32) {
        if points.is_empty() {
            return (0.0, 0.0, 0.0);
        }
        points.sort_unstable_by(f32::total_cmp);
        let (tenth, last) = (points.len() / 10, points.len() - 1);
        let (least, most) = (points[0], points[last]);
        let (low, high) = (points[tenth], points[last - tenth]);
        let spread = high - low;
        let (least, most) =
            (least.max(low - STRAGGLER * spread), most.min(high + STRAGGLER * spread));
        let margin = MARGIN * (most - least);
        (spread, least - margin, most + margin)
    }
}

/// The width of square cells that hold about `per_cell` of `count` points with this
/// [spread](Extent::spread).
pub(crate) fn roomy_cell(count: usize, spread: Vec3, plane: SteeringPlane, per_cell: f32) -> f32 {
    if count < 2 {
        return 1.0;
    }
    let spread = plane.flatten(spread);
    let widest = spread.max_element();
    // A crowd on a line has no area; assume a little.
    let room: f32 = plane.axes().map(|axis| spread[axis].max(widest * 1e-2)).product();
    let middle = if plane.is_planar() { 0.8 * 0.8 } else { 0.8 * 0.8 * 0.8 };
    let room = room * (per_cell / (count as f32 * middle));
    let cell = plane.side_of(room);
    if cell.is_finite() && cell > 0.0 { cell } else { widest.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::BoundsEdge;

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
    fn cells_do_not_depend_on_where_the_table_lies() {
        let cell_starts = |low: f32| {
            let mut grid = CellGrid::default();
            let table = (Vec3::splat(low), Vec3::splat(low + 50.0));
            let cells = Vec3::splat(3.0);
            grid.lay_out(500, SteeringPlane::Xy, &Bounds::UNBOUNDED, cells, table);
            grid.axes.map(|axis| axis.origin.rem_euclid(3.0))
        };
        assert!([-70.0, -1.3, 0.0, 2.9, 400.0].iter().all(|&low| cell_starts(low) == [0.0; 3]));
    }

    #[test]
    fn what_is_next_to_the_end_of_a_world_is_in_its_last_cell() {
        for (half, cell) in [(50.0, 5.0), (1.0, 0.3), (333.3, 7.0), (1e6, 11.0), (2.0, 0.1)] {
            let mut grid = CellGrid::default();
            let bounds = Bounds::rect(Vec2::splat(-half), Vec2::splat(half), BoundsEdge::Wrap);
            let table = (Vec3::splat(-half), Vec3::splat(half));
            grid.lay_out(100, SteeringPlane::Xy, &bounds, Vec3::splat(cell), table);
            let (last, mut x) = (grid.axes[0].buckets - 1, half);
            for _ in 0..4 {
                x = x.next_down();
                let bucket = grid.bucket_inside(Vec3::new(x, -half, 0.0));
                assert_eq!(bucket, last, "{x} of {half}");
            }
            assert_eq!(grid.bucket_inside(Vec3::new(-half, -half, 0.0)), 0);
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

    #[test]
    fn searched_range_is_slightly_wider_than_requested() {
        for (origin, min, max) in [(0.0, 1000.0, 1001.0), (1000.0, -0.5, 0.5), (-3.0, -9.0, 4.0)] {
            let axis = Axis { origin, ..Axis::default() };
            let (low, high) = axis.around(min, max);
            assert!(low < min && max < high && low > min - 1e-2 && high < max + 1e-2);
        }
    }

    #[test]
    fn spread_leaves_out_a_tenth_on_each_side() {
        for count in [1, 2, 9, 10, 11, 100, 128] {
            // In no order, and all different.
            let place = |i: usize| (i * 37 % count) as f32;
            let points: Vec<Vec3> =
                (0..count).map(|i| Vec3::new(place(i), -place(i), 7.0)).collect();
            let extent = Extent::of(&points);
            let (first, last) = ((count / 10) as f32, (count - 1 - count / 10) as f32);
            assert_eq!(extent.spread, Vec3::new(last - first, last - first, 0.0));
            let (from, to) = extent.table;
            let all = (count - 1) as f32;
            assert!(from.x <= 0.0 && to.x >= all && to.x - from.x <= 1.1 * all, "{extent:?}");
            assert!(from.y <= -all && to.y >= 0.0 && to.y - from.y <= 1.1 * all, "{extent:?}");
            assert_eq!((from.z, to.z), (7.0, 7.0));
        }
        let nowhere = Extent { spread: Vec3::ZERO, table: (Vec3::ZERO, Vec3::ZERO) };
        assert_eq!(Extent::of(&[]), nowhere);
    }

    #[test]
    fn table_leaves_out_stragglers() {
        let mut points: Vec<Vec3> = (0..=100).map(|i| Vec3::splat(i as f32)).collect();
        points.extend([Vec3::splat(1e6), Vec3::splat(-1e30)]);
        let (from, to) = Extent::of(&points).table;
        assert!(from.cmpgt(Vec3::splat(-60.0)).all() && to.cmplt(Vec3::splat(160.0)).all());
        assert!(from.cmple(Vec3::ZERO).all() && to.cmpge(Vec3::splat(100.0)).all());
    }

    #[test]
    fn roomy_cell_holds_the_requested_number() {
        // The middle 80 % of crowds that fill 100 units each way: 0.1 points per square unit, 0.001
        // per cubic unit.
        let spread = Vec3::splat(80.0);
        let side = roomy_cell(1000, spread, SteeringPlane::Xz, 4.0);
        assert!((side * side * 0.1 - 4.0).abs() < 1e-3, "{side}");
        let side = roomy_cell(1000, spread, SteeringPlane::Free, 8.0);
        assert!((side * side * side * 1e-3 - 8.0).abs() < 1e-2, "{side}");
        let on_a_line = roomy_cell(1000, Vec3::X * 80.0, SteeringPlane::Xy, 4.0);
        assert!((0.1..10.0).contains(&on_a_line), "{on_a_line}");
        assert_eq!(roomy_cell(1000, Vec3::ZERO, SteeringPlane::Xy, 4.0), 1.0);
        assert_eq!(roomy_cell(1, spread, SteeringPlane::Xy, 4.0), 1.0);
    }

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
}
