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
        if (0..D).all(is_inside) {
            let spans = spans.each_ref().map(|span| span.cells.start as u32..span.cells.end as u32);
            self.find_inside(grid, axes, &spans);
        } else {
            self.find_around(grid, axes, &spans);
        }
    }

    /// Where all cells in reach are in the table, as they mostly are. The corners of the box that the radius does not reach are few
    /// cells, and to leave them out would take longer than to look at them.
    #[inline(always)]
    fn find_inside(&mut self, grid: &CellGrid, axes: [usize; D], spans: &[Range<u32>; D]) {
        self.periods = None;
        let (first, count) = (spans[0].start, spans[0].end - spans[0].start);
        for depth in if D == 3 { spans[2].clone() } else { 0..1 } {
            for height in spans[1].clone() {
                let row = depth * grid.axes[axes[1]].buckets + height;
                self.add_run(grid.run(row as usize, first, count), [0.0; D]);
            }
        }
    }

    /// Where some are beyond the table: in a world that wraps these are in the next image of it.
    fn find_around(&mut self, grid: &CellGrid, axes: [usize; D], spans: &[Cells; D]) {
        let period = |d: usize| grid.axes[axes[d]].period;
        let is_small = (0..D).any(|d| spans[d].is_everything && period(d) > 0.0);
        self.periods = is_small.then(|| core::array::from_fn(period));

        let depths = if D == 3 { spans[2].cells.clone() } else { 0..1 };
        for depth in depths {
            for height in spans[1].cells.clone() {
                let mut shift = [0.0; D];
                let mut row = 0;
                // From the last coordinate to the second: buckets of a row lie next to each other.
                for d in (1..D).rev() {
                    let cell = if d == 1 { height } else { depth };
                    let buckets = grid.axes[axes[d]].buckets;
                    let (bucket, turns) = turned(cell, buckets);
                    row = row * buckets as usize + bucket;
                    shift[d] = if is_small { 0.0 } else { period(d) * turns as f32 };
                }
                self.add_row(grid, axes[0], row, spans[0].cells.clone(), shift);
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
