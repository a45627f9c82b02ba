//! Which sorted points a group of agents has to look at.

use core::ops::Range;

use crate::{
    grid::cell_grid::CellGrid,
    simd::lanes::{Lanes, WIDTH},
};

/// So many times as many candidates as an agent is content with are a crowd.
pub(super) const CROWD: u64 = 8;

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
pub(super) struct Candidates<const D: usize> {
    axes: [usize; D],
    table: Table,
    pub(super) runs: Vec<Run<D>>,
    pub(super) candidates: usize,
    /// The world is so small that the short way round must be found for each candidate. The periods then; else zeros.
    pub(super) periods: Option<[f32; D]>,
}

/// What cells are worked out from: for each coordinate twice, for the two ends of what is in reach.
#[derive(Debug)]
struct Table {
    origins: [f32; WIDTH],
    per_units: [f32; WIDTH],
    ends: [f32; WIDTH],
}

/// The cells of one coordinate in reach.
struct Cells {
    cells: Range<i64>,
    /// All buckets, each once.
    is_everything: bool,
}

impl<const D: usize> Candidates<D> {
    /// For a grid. `axes` are its axes for each coordinate; the first is the one along which rows run.
    pub(super) fn new(grid: &CellGrid, axes: [usize; D]) -> Self {
        let mut table =
            Table { origins: [0.0; WIDTH], per_units: [0.0; WIDTH], ends: [1.0; WIDTH] };
        for (d, axis) in axes.into_iter().map(|axis| &grid.axes[axis]).enumerate() {
            for i in [2 * d, 2 * d + 1] {
                table.origins[i] = axis.origin;
                table.per_units[i] = axis.per_unit;
                table.ends[i] = axis.buckets as f32;
            }
        }
        Self { axes, table, runs: Vec::new(), candidates: 0, periods: None }
    }

    /// Finds everybody within `radius` of the box from `low` to `high`, and who is in the corners about it: those are few cells, and to
    /// leave them out would take longer than to look at them.
    #[inline(always)]
    pub(super) fn find<L: Lanes>(
        &mut self,
        l: L,
        grid: &CellGrid,
        low: [f32; D],
        high: [f32; D],
        radius: f32,
    ) {
        self.runs.clear();
        self.candidates = 0;
        let mut ends = [0.0; WIDTH];
        for d in 0..D {
            (ends[2 * d], ends[2 * d + 1]) =
                grid.axes[self.axes[d]].around(low[d] - radius, high[d] + radius);
        }
        let scaled =
            l.mul(l.sub(l.pack(ends), l.pack(self.table.origins)), l.pack(self.table.per_units));
        let in_table = l.and(l.le(l.splat(0.0), scaled), l.lt(scaled, l.pack(self.table.ends)));
        let cells = l.whole(scaled);
        let is_everything =
            |d: usize| cells[2 * d + 1] - cells[2 * d] + 1 >= grid.axes[self.axes[d]].buckets;
        if l.bits(in_table) == u8::MAX && !(0..D).any(is_everything) {
            self.find_inside(grid, &cells);
        } else {
            self.find_around(grid, low, high, radius);
        }
    }

    /// Whether there are so many candidates for an agent that is content with `enough` mates that it should not look at all of them.
    pub(super) fn is_crowd(&self, enough: u32) -> bool {
        self.candidates as u64 > CROWD * u64::from(enough)
    }

    /// Where all cells in reach are in the table, as they mostly are: the first and the last one of each coordinate.
    #[inline(always)]
    fn find_inside(&mut self, grid: &CellGrid, cells: &[u32; WIDTH]) {
        self.periods = None;
        let (first, count) = (cells[0], cells[1] - cells[0] + 1);
        for depth in if D == 3 { cells[4]..cells[5] + 1 } else { 0..1 } {
            for height in cells[2]..cells[3] + 1 {
                let row = depth * grid.axes[self.axes[1]].buckets + height;
                self.add_run(grid.run(row as usize, first, count), [0.0; D]);
            }
        }
    }

    /// Where some are beyond the table: in a world that wraps these are in the next image of it.
    #[cold]
    fn find_around(&mut self, grid: &CellGrid, low: [f32; D], high: [f32; D], radius: f32) {
        let axes = self.axes;
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
