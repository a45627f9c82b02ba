//! The sorted points that a group of agents has to look at.

use core::ops::Range;

use crate::{
    grid::cell_grid::{Axis, CellGrid},
    neighbors::levels::Level,
};

/// This many times as many candidates as an agent looks at neighbours are a crowd.
const CROWD: u64 = 8;

/// A group of agents in a sparse row is cut rather than made to look at more cells than this.
const WIDEST_GROUP: f32 = 32.0;

/// How far apart the agents of a row may be that look together. In a small world that repeats they
/// see less than the whole of it, if a single agent does: cells are usually as high as it sees far.
pub(crate) fn widest_group<const D: usize>(grid: &CellGrid, axes: [usize; D]) -> f32 {
    let [along, across] = [axes[0], axes[1]].map(|axis| &grid.axes[axis]);
    let widest = WIDEST_GROUP * along.cell;
    // Two cells are left out, as searches look at whole ones.
    let unseen = along.period - 2.0 * (across.cell + along.cell);
    // A search that reaches one cell to either side looks at all rows of three or fewer: it must
    // find the short way round for each candidate in any case.
    let is_seen_whole = |axis: &Axis| axis.period > 0.0 && axis.buckets <= 3;
    let is_in_vain = axes[1..].iter().any(|&axis| is_seen_whole(&grid.axes[axis]));
    if unseen > 0.0 && !is_in_vain { widest.min(unseen) } else { widest }
}

/// Consecutive slots, and the offset of the image of the world that they are seen in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<const D: usize> {
    pub start: usize,
    pub end: usize,
    /// To be subtracted from the place of the agent that looks.
    pub shift: [f32; D],
}

/// All points that a group can see, and some others.
#[derive(Debug)]
pub(crate) struct Candidates<const D: usize> {
    /// The axis of the grid for each coordinate; rows run along the first.
    axes: [usize; D],
    pub runs: Vec<Run<D>>,
    pub count: usize,
    /// The periods of a world so small that the short way round must be found for each candidate.
    pub periods: Option<[f32; D]>,
}

impl<const D: usize> Candidates<D> {
    pub(crate) fn new(axes: [usize; D]) -> Self {
        Self { axes, runs: Vec::new(), count: 0, periods: None }
    }

    /// Finds the points within `radius` of the box from `low` to `high`, and those in the corners
    /// about it: those are few cells, and leaving them out would take longer.
    pub(crate) fn find(&mut self, levels: &[Level], low: [f32; D], high: [f32; D], radius: f32) {
        self.runs.clear();
        self.count = 0;
        self.periods = None;
        for level in levels {
            self.add_from(&level.grid, low.map(|x| x - radius), high.map(|x| x + radius));
        }
    }

    /// Adds the points of a grid. Cells beyond the table are in the next image of a world that
    /// wraps.
    fn add_from(&mut self, grid: &CellGrid, low: [f32; D], high: [f32; D]) {
        let axes = self.axes.map(|axis| &grid.axes[axis]);
        let mut cells: [Range<i64>; D] = core::array::from_fn(|d| {
            let (first, last) = axes[d].cells(low[d], high[d]);
            i64::from(first)..i64::from(last) + 1
        });
        let mut is_small = false;
        for (cells, axis) in cells.iter_mut().zip(axes) {
            if cells.end - cells.start >= i64::from(axis.buckets) {
                *cells = 0..i64::from(axis.buckets);
                is_small |= axis.period > 0.0;
            }
        }
        if is_small {
            self.periods = Some(axes.map(|axis| axis.period));
        }
        let period = |d: usize| if is_small { 0.0 } else { axes[d].period };

        let depths = if D == 3 { cells[2].clone() } else { 0..1 };
        for depth in depths {
            for height in cells[1].clone() {
                let mut shift = [0.0; D];
                let mut row = 0;
                // From the last coordinate to the second: buckets of a row are adjacent.
                for d in (1..D).rev() {
                    let cell = if d == 1 { height } else { depth };
                    let (bucket, turns) = folded(cell, axes[d].buckets);
                    row = row * axes[d].buckets as usize + bucket;
                    shift[d] = period(d) * turns as f32;
                }
                let (mut first, end) = (cells[0].start, cells[0].end);
                // A part for each turn round the table.
                while first < end {
                    let (bucket, turns) = folded(first, axes[0].buckets);
                    let count = (end - first).min(i64::from(axes[0].buckets) - bucket as i64);
                    shift[0] = period(0) * turns as f32;
                    self.add_run(grid.run(row, bucket as u32, count as u32), shift);
                    first += count;
                }
            }
        }
    }

    /// Whether an agent that looks at `max_neighbors` should not look at all of the candidates.
    pub(crate) fn is_crowd(&self, max_neighbors: u32) -> bool {
        self.count as u64 > CROWD * u64::from(max_neighbors)
    }

    /// All candidates, in rounds of about `wanted` that are from everywhere.
    pub(crate) fn rounds(
        &self,
        wanted: u32,
    ) -> impl Iterator<Item = impl Iterator<Item = (&Run<D>, usize)>> {
        strides(self.count, wanted as usize).map(|(first, stride)| {
            // The number of candidates before the next run.
            let mut before = 0;
            self.runs.iter().flat_map(move |run| {
                // Candidates are numbered through all runs, and a round has those whose number is
                // `first` modulo the stride. This is its first one in this run; the mask takes the
                // remainder, as strides are powers of two.
                let slot = run.start + (first.wrapping_sub(before) & (stride - 1));
                before += run.end - run.start;
                let slots = core::iter::successors(Some(slot), move |slot| Some(slot + stride));
                slots.take_while(|&slot| slot < run.end).map(move |slot| (run, slot))
            })
        })
    }

    /// Keeps about `wanted` candidates from everywhere, `salt` tells which. Returns the stride: one
    /// in this number is kept.
    pub(crate) fn take_sample(&mut self, wanted: usize, salt: usize) -> usize {
        let stride = self.count.div_ceil(wanted).max(1);
        let mut next = salt % stride;
        let mut sample = Vec::with_capacity(wanted);
        for &Run { start, end, shift } in &self.runs {
            while next < end - start {
                sample.push(Run { start: start + next, end: start + next + 1, shift });
                next += stride;
            }
            next -= end - start;
        }
        (self.count, self.runs) = (sample.len(), sample);
        stride
    }

    fn add_run(&mut self, Range { start, end }: Range<usize>, shift: [f32; D]) {
        if start < end {
            self.count += end - start;
            self.runs.push(Run { start, end, shift });
        }
    }
}

/// The bucket of a cell, and how often it is once more round the table.
fn folded(cell: i64, buckets: u32) -> (usize, i64) {
    let buckets = i64::from(buckets);
    if (0..buckets).contains(&cell) {
        // The usual case, without a division.
        return (cell as usize, 0);
    }
    (cell.rem_euclid(buckets) as usize, cell.div_euclid(buckets))
}

/// The first of the candidates of each round, and the stride to the next. The strides are such that
/// a round has about `wanted` candidates, and all rounds together have each candidate once.
fn strides(candidates: usize, wanted: usize) -> impl Iterator<Item = (usize, usize)> {
    let stride = candidates.div_ceil(wanted.max(1)).next_power_of_two();
    let bits = stride.trailing_zeros();
    (0..stride).map(move |i| {
        let reversed = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        (reversed, stride)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_visit_every_candidate_once() {
        let mut candidates = Candidates::new([0, 1]);
        for run in [3..10, 20..21, 40..75] {
            candidates.add_run(run, [0.0; 2]);
        }
        for wanted in [1, 3, 10, 43, 100] {
            let rounds = candidates.rounds(wanted).flatten();
            let mut seen: Vec<usize> = rounds.map(|(_, slot)| slot).collect();
            seen.sort_unstable();
            let all: Vec<usize> =
                candidates.runs.iter().flat_map(|run| run.start..run.end).collect();
            assert_eq!(seen, all, "{wanted}");
        }
    }

    #[test]
    fn sample_has_one_in_so_many() {
        for (wanted, salt, expected) in [(4, 1, vec![4, 7, 12, 15]), (2, 8, vec![5, 13])] {
            let mut candidates = Candidates::new([0, 1]);
            candidates.add_run(3..10, [0.0; 2]);
            candidates.add_run(12..16, [0.0; 2]);
            assert_eq!(candidates.take_sample(wanted, salt), 11_usize.div_ceil(wanted));
            let slots: Vec<usize> = candidates.runs.iter().map(|run| run.start).collect();
            assert_eq!(slots, expected);
        }
    }
}
