//! Which sorted points a group of agents has to look at.

use core::ops::Range;

use crate::neighbors::CellGrid;

/// Consecutive slots, and by how much the world they are in is shifted against the one that is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<const D: usize> {
    pub(super) start: usize,
    pub(super) end: usize,
    /// To be taken off the place of who looks.
    pub(super) shift: [f32; D],
}

/// All that a group can see, and more.
#[derive(Debug)]
pub(super) struct Reach<const D: usize> {
    pub(super) runs: Vec<Run<D>>,
    pub(super) candidates: usize,
    /// The world is so small that the short way round must be found for each candidate. The periods then; else zeros.
    pub(super) periods: Option<[f32; D]>,
}

/// The cells of one coordinate in reach.
struct Cells {
    cells: Range<i64>,
    /// All buckets, each once.
    is_everything: bool,
}

impl<const D: usize> Reach<D> {
    pub(super) fn new() -> Self {
        Self { runs: Vec::new(), candidates: 0, periods: None }
    }

    /// Finds everybody within `radius` of the box from `low` to `high`. `axes` are the axes of the grid for each coordinate;
    /// the first is the one along which rows run.
    pub(super) fn find(
        &mut self,
        grid: &CellGrid,
        axes: [usize; D],
        low: [f32; D],
        high: [f32; D],
        radius: f32,
    ) {
        self.runs.clear();
        self.candidates = 0;
        let spans: [Cells; D] = core::array::from_fn(|d| {
            let axis = &grid.axes[axes[d]];
            let (first, last) = axis.cells(low[d] - radius, high[d] + radius);
            let cells = i64::from(first)..i64::from(last) + 1;
            if cells.end - cells.start >= i64::from(axis.buckets) {
                Cells { cells: 0..i64::from(axis.buckets), is_everything: true }
            } else {
                Cells { cells, is_everything: false }
            }
        });
        let is_inside = |d: usize| {
            spans[d].cells.start >= 0
                && spans[d].cells.end <= i64::from(grid.axes[axes[d]].buckets)
                && !spans[d].is_everything
        };
        if D == 2 && is_inside(0) && is_inside(1) {
            self.periods = None;
            let (first, end) = (spans[0].cells.start as u32, spans[0].cells.end as u32);
            for row in spans[1].cells.clone() {
                self.add_run(grid.run(row as usize, first, end - first), [0.0; D]);
            }
            return;
        }
        let period = |d: usize| grid.axes[axes[d]].period;
        let is_small = (0..D).any(|d| spans[d].is_everything && period(d) > 0.0);
        self.periods = is_small.then(|| core::array::from_fn(period));

        let depths = if D == 3 { spans[2].cells.clone() } else { 0..1 };
        for depth in depths {
            for height in spans[1].cells.clone() {
                let mut shift = [0.0; D];
                let mut gap_squared = 0.0;
                let mut row = 0;
                // From the last coordinate to the second: buckets of a row lie next to each other.
                for d in (1..D).rev() {
                    let cell = if d == 1 { height } else { depth };
                    let axis = &grid.axes[axes[d]];
                    let (bucket, turns) = turned(cell, axis.buckets);
                    row = row * axis.buckets as usize + bucket;
                    shift[d] = if is_small { 0.0 } else { period(d) * turns as f32 };
                    // On a plane every row of the span is in reach.
                    if D == 3 && !spans[d].is_everything {
                        let edge = axis.edge_of(cell as i32);
                        let gap = (edge - high[d]).max(low[d] - (edge + axis.cell)).max(0.0);
                        gap_squared += gap * gap;
                    }
                }
                // Rounding must not hide anybody.
                let left = radius * radius * 1.0001 - gap_squared;
                if D == 3 && left < 0.0 {
                    continue;
                }
                let mut cells = spans[0].cells.clone();
                if D == 3 && !spans[0].is_everything {
                    // The square of a radius may be infinite, which is no width to look along.
                    let half_width = left.sqrt().min(radius);
                    let axis = &grid.axes[axes[0]];
                    let (first, last) = axis.cells(low[0] - half_width, high[0] + half_width);
                    cells = i64::from(first)..i64::from(last) + 1;
                }
                self.add_row(grid, axes[0], row, cells, shift);
            }
        }
    }

    fn add_row(
        &mut self,
        grid: &CellGrid,
        axis: usize,
        row: usize,
        cells: Range<i64>,
        mut shift: [f32; D],
    ) {
        let axis = &grid.axes[axis];
        let (mut first, end) = (cells.start, cells.end);
        // A part for each turn round the table.
        while first < end {
            let (bucket, turns) = turned(first, axis.buckets);
            let count = (end - first).min(i64::from(axis.buckets) - bucket as i64);
            shift[0] = if self.periods.is_some() { 0.0 } else { axis.period * turns as f32 };
            self.add_run(grid.run(row, bucket as u32, count as u32), shift);
            first += count;
        }
    }

    #[inline(always)]
    fn add_run(&mut self, Range { start, end }: Range<usize>, shift: [f32; D]) {
        if start < end {
            self.candidates += end - start;
            self.runs.push(Run { start, end, shift });
        }
    }
}

/// The bucket of a cell, and how often one has been round the table to get there.
#[inline(always)]
fn turned(cell: i64, buckets: u32) -> (usize, i64) {
    let buckets = i64::from(buckets);
    if (0..buckets).contains(&cell) {
        (cell as usize, 0)
    } else {
        (cell.rem_euclid(buckets) as usize, cell.div_euclid(buckets))
    }
}
