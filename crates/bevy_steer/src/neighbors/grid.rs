//! [`CellGrid`]: points sorted by the cell of a uniform grid, without limits to the world.
//!
//! The grid is endless, but only as many cells are stored as there are points: cells whose coordinates are equal modulo
//! the size of the stored table share a bucket. So a few points far away cost nothing, and in a world that wraps the
//! table is exactly one period, which makes neighbours across the seam neighbours in the table.

use core::ops::Range;

use bevy::{math::ops, prelude::*};

use crate::{bounds::Bounds, plane::SteeringPlane};

/// Points by cell. The points themselves stay with the caller, in the order that [`CellGrid::sort`] returns.
#[derive(Debug, Default)]
pub(crate) struct CellGrid {
    axes: [Axis; 3],
    /// For each bucket the first of its points; one more at the end.
    starts: Vec<u32>,
    keys: Vec<u32>,
}

/// One coordinate of the grid.
#[derive(Clone, Copy, Debug)]
struct Axis {
    origin: f32,
    cell: f32,
    buckets: u32,
}

impl Default for Axis {
    fn default() -> Self {
        Self { origin: 0.0, cell: f32::INFINITY, buckets: 1 }
    }
}

impl Axis {
    /// The cell of a coordinate. Saturates, so that even absurd places have a cell.
    fn cell_of(&self, x: f32) -> i64 {
        i64::from(((x - self.origin) / self.cell).floor() as i32)
    }

    fn bucket_of(&self, x: f32) -> u32 {
        self.fold(self.cell_of(x))
    }

    fn fold(&self, cell: i64) -> u32 {
        cell.rem_euclid(i64::from(self.buckets)) as u32
    }

    /// The buckets of all cells from `min` to `max`, each once: the first, and how many follow cyclically.
    fn span(&self, min: f32, max: f32) -> (u32, u32) {
        // A point that rounding puts on the other side of a cell's edge must not be missed.
        let slack = 4.0 * f32::EPSILON * (min.abs().max(max.abs()) + self.origin.abs());
        let first = self.cell_of(min - slack);
        let last = self.cell_of(max + slack);
        let count = (last - first + 1).clamp(0, i64::from(self.buckets)) as u32;
        (self.fold(first), count)
    }
}

impl CellGrid {
    /// Sorts `count` points into cells about `cell` wide; returns their indices in cell order. Points of one cell keep
    /// their order.
    pub(crate) fn sort(
        &mut self,
        count: usize,
        position: impl Fn(usize) -> Vec3,
        plane: SteeringPlane,
        bounds: &Bounds,
        cell: f32,
    ) -> Vec<u32> {
        self.lay_out(count, plane, bounds, cell);
        let buckets = self.axes.iter().map(|axis| axis.buckets as usize).product::<usize>();
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        self.keys.clear();
        for index in 0..count {
            let key = self.bucket_of(position(index));
            self.keys.push(key);
            self.starts[key as usize + 1] += 1;
        }
        for bucket in 0..buckets {
            self.starts[bucket + 1] += self.starts[bucket];
        }
        let mut order = vec![0; count];
        let mut next = self.starts.clone();
        for (index, &key) in self.keys.iter().enumerate() {
            let slot = &mut next[key as usize];
            order[*slot as usize] = index as u32;
            *slot += 1;
        }
        order
    }

    fn lay_out(&mut self, count: usize, plane: SteeringPlane, bounds: &Bounds, cell: f32) {
        let count = count.max(1) as f32;
        let (used, per_axis): (&[usize], f32) = match plane {
            SteeringPlane::Xy => (&[0, 1], count.sqrt()),
            SteeringPlane::Xz => (&[0, 2], count.sqrt()),
            SteeringPlane::Free => (&[0, 1, 2], ops::cbrt(count)),
        };
        let cell = if cell.is_finite() && cell > f32::MIN_POSITIVE { cell } else { 1.0 };
        let most = (per_axis * 2.0).ceil().max(1.0);
        self.axes = [Axis::default(); 3];
        for &axis in used {
            self.axes[axis] = match bounds.period(axis) {
                // No narrower than asked: a query then touches no more cells than it must.
                Some(period) => {
                    let buckets = (period / cell).floor().clamp(1.0, most);
                    Axis {
                        origin: bounds.min[axis],
                        cell: period / buckets,
                        buckets: buckets as u32,
                    }
                }
                None => Axis { origin: 0.0, cell, buckets: per_axis.ceil().max(1.0) as u32 },
            };
        }
    }

    fn bucket_of(&self, position: Vec3) -> u32 {
        let [x, y, z] = &self.axes;
        (z.bucket_of(position.z) * y.buckets + y.bucket_of(position.y)) * x.buckets
            + x.bucket_of(position.x)
    }

    /// The width of a cell on its narrowest axis.
    pub(crate) fn cell(&self) -> f32 {
        self.axes.iter().fold(f32::INFINITY, |width, axis| width.min(axis.cell))
    }

    /// The runs of sorted points that hold every point from `min` to `max`, and others. Each point comes once.
    pub(crate) fn runs(&self, min: Vec3, max: Vec3) -> impl Iterator<Item = Range<usize>> + '_ {
        let [x, y, z] = self.axes;
        let (x_first, x_count) = x.span(min.x, max.x);
        // A row is one run, or two where it goes over the end of the table.
        let before_end = x_count.min(x.buckets - x_first);
        let row = [(x_first, before_end), (0, x_count - before_end)];
        let cyclic = |axis: Axis, (first, count): (u32, u32)| {
            (0..count).map(move |i| (first + i) % axis.buckets)
        };
        let y_span = y.span(min.y, max.y);
        cyclic(z, z.span(min.z, max.z))
            .flat_map(move |z_bucket| {
                cyclic(y, y_span).map(move |y_bucket| (z_bucket * y.buckets + y_bucket) * x.buckets)
            })
            .flat_map(move |row_start| row.map(|(first, count)| (row_start + first, count)))
            .filter(|&(_, count)| count > 0 && !self.starts.is_empty())
            .map(|(first, count)| {
                self.starts[first as usize] as usize..self.starts[(first + count) as usize] as usize
            })
    }

    /// Whether a search from `min` to `max` would look at every bucket.
    pub(crate) fn is_everything(&self, min: Vec3, max: Vec3) -> bool {
        (0..3).all(|axis| {
            let Axis { buckets, .. } = self.axes[axis];
            self.axes[axis].span(min[axis], max[axis]).1 == buckets
        })
    }
}

/// How many points should share a cell.
const PER_CELL: f32 = 2.0;
/// How many points are looked at to find out how densely they stand.
const SAMPLES: usize = 1024;

/// The width of cells that hold about [`PER_CELL`] points, judged by where the middle 80 % on each axis are, so that
/// stragglers do not count.
pub(crate) fn roomy_cell(
    count: usize,
    position: impl Fn(usize) -> Vec3,
    plane: SteeringPlane,
) -> f32 {
    if count < 2 {
        return 1.0;
    }
    let sample: Vec<Vec3> = (0..count).step_by(count.div_ceil(SAMPLES)).map(position).collect();
    let spread = |axis: usize| {
        let mut along: Vec<f32> = sample.iter().map(|position| position[axis]).collect();
        let tenth = along.len() / 10;
        along.sort_unstable_by(f32::total_cmp);
        along[along.len() - 1 - tenth] - along[tenth]
    };
    let used = (0..3).filter(|&axis| plane.flatten(Vec3::ONE)[axis] != 0.0);
    let spreads: Vec<f32> = used.map(spread).collect();
    let widest = spreads.iter().fold(0.0_f32, |widest, &spread| widest.max(spread));
    // A crowd on a line has no area; give it a little.
    let room: f32 = spreads.iter().map(|&spread| spread.max(widest * 1e-2)).product();
    let middle = if plane.is_planar() { 0.8 * 0.8 } else { 0.8 * 0.8 * 0.8 };
    let room = room * (PER_CELL / (count as f32 * middle));
    let cell = if plane.is_planar() { room.sqrt() } else { ops::cbrt(room) };
    if cell.is_finite() && cell > 0.0 { cell } else { widest.max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Edge;

    fn found(grid: &CellGrid, order: &[u32], min: Vec3, max: Vec3) -> Vec<u32> {
        let mut found: Vec<u32> = grid.runs(min, max).flat_map(|run| order[run].to_vec()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn a_box_holds_its_points_and_each_comes_once() {
        let points: Vec<Vec3> =
            (0..200).map(|i| Vec3::new((i % 20) as f32 - 10.0, (i / 20) as f32, 0.0)).collect();
        let mut grid = CellGrid::default();
        let order =
            grid.sort(points.len(), |i| points[i], SteeringPlane::Xy, &Bounds::UNBOUNDED, 1.5);
        let everything = found(&grid, &order, Vec3::splat(-1e9), Vec3::splat(1e9));
        assert_eq!(everything, (0..200).collect::<Vec<_>>());
        let (min, max) = (Vec3::new(-2.0, 3.0, 0.0), Vec3::new(4.0, 6.0, 0.0));
        let some = found(&grid, &order, min, max);
        for (i, point) in points.iter().enumerate() {
            if point.cmpge(min).all() && point.cmple(max).all() {
                assert!(some.contains(&(i as u32)), "{point}");
            }
        }
        assert!(some.len() < 120, "a small box must not look at everything: {}", some.len());
    }

    #[test]
    fn a_far_point_does_not_spoil_the_cells() {
        let mut points: Vec<Vec3> =
            (0..1000).map(|i| Vec3::new((i % 32) as f32, (i / 32) as f32, 0.0)).collect();
        points.push(Vec3::new(1e30, -1e6, 0.0));
        let mut grid = CellGrid::default();
        let order =
            grid.sort(points.len(), |i| points[i], SteeringPlane::Xy, &Bounds::UNBOUNDED, 1.0);
        let near = found(&grid, &order, Vec3::splat(3.0), Vec3::splat(4.0));
        assert!(near.len() <= 10, "{}", near.len());
        let far = Vec3::new(1e30, -1e6, 0.0);
        assert!(found(&grid, &order, far, far).contains(&1000));
    }

    #[test]
    fn a_wrapping_table_is_one_period() {
        let bounds = Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), Edge::Wrap);
        let points = [Vec3::new(-9.9, 0.0, 0.0), Vec3::new(9.9, 0.0, 0.0)];
        let mut grid = CellGrid::default();
        let order = grid.sort(2, |i| points[i], SteeringPlane::Xy, &bounds, 1.0);
        let across = found(&grid, &order, Vec3::new(9.5, -0.1, 0.0), Vec3::new(10.5, 0.1, 0.0));
        assert_eq!(across, [0, 1]);
    }
}
