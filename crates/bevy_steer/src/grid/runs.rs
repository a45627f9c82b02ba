//! [`Runs`]: the points in a box, cell by cell of a [`CellGrid`].

use core::ops::Range;

use bevy::prelude::*;

use crate::grid::cell_grid::{Axis, CellGrid};

impl CellGrid {
    /// The points of `count` buckets of a row, from the bucket `first` on.
    #[inline]
    pub(crate) fn run(&self, row: usize, first: u32, count: u32) -> Range<usize> {
        let first = row * self.axes[0].buckets as usize + first as usize;
        self.starts[first] as usize..self.starts[first + count as usize] as usize
    }

    /// The runs of sorted points that hold every point from `min` to `max`, and others. Each point
    /// comes once.
    pub(crate) fn runs(&self, min: Vec3, max: Vec3) -> Runs<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::cell_grid::Extent,
        space::{Bounds, BoundsEdge, SteeringPlane},
    };

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
