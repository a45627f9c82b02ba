//! [`Storey`]: entries at heights that nothing connects, each in cells of its own.

use core::ops::Range;
use std::sync::OnceLock;

use bevy::prelude::*;

use crate::{
    grid::{cell_grid::CellGrid, runs::Runs},
    neighbors::usual::Usual,
};

/// The entries between two heights. They have nothing to do with those of other storeys, so their
/// cells, and with them the order of sums, must not depend on those.
#[derive(Debug, Default)]
pub(crate) struct Storey {
    /// How far they reach along the normal.
    pub(super) span: [f32; 2],
    /// The number of buckets of those below.
    pub(super) first_bucket: u32,
    pub(crate) grid: CellGrid,
    /// Built by the first search that asks for it.
    pub(super) usual: OnceLock<Usual>,
}

/// Where there are more, all count as one: tables of cells for a few entries each would cost more
/// than they save.
const MOST_STOREYS: usize = 32;
/// In more steps than this heights are sorted instead.
const MOST_STEPS: f32 = 65_536.0;

impl Storey {
    /// Its slots.
    pub(super) fn slots(&self) -> Range<usize> {
        match self.grid.starts[..] {
            [first, .., end] => first as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Forgets its entries.
    pub(super) fn clear(&mut self) {
        self.grid.starts.clear();
        self.usual = OnceLock::new();
    }
}

/// The number of buckets of all these.
pub(super) fn bucket_count(storeys: &[Storey]) -> usize {
    storeys.iter().map(|storey| storey.grid.bucket_count()).sum()
}

/// The number of the storey of an entry that reaches so far.
#[inline(always)]
pub(super) fn storey_of(storeys: &[Storey], span: [f32; 2]) -> usize {
    storeys.partition_point(|storey| storey.span[1] < span[0]).min(storeys.len() - 1)
}

/// Those that meet a span, if there is one.
#[inline(always)]
pub(super) fn storeys_at(storeys: &[Storey], span: Option<[f32; 2]>) -> &[Storey] {
    match span {
        Some([low, high]) if storeys.len() > 1 => {
            let first = storeys.partition_point(|storey| storey.span[1] < low);
            let others = &storeys[first..];
            &others[..others.partition_point(|storey| storey.span[0] <= high)]
        }
        _ => storeys,
    }
}

/// The heights of storeys with these entries, from the lowest up: no entry reaches from one to
/// another.
pub(super) fn heights_of_storeys(spans: &[[f32; 2]]) -> Vec<[f32; 2]> {
    if spans.contains(&ALL) {
        return vec![ALL];
    }
    // Those without a height connect nothing.
    let (mut flat, mut lowest, mut highest) = (false, f32::INFINITY, f32::NEG_INFINITY);
    let mut step = f32::INFINITY;
    for &[low, high] in spans {
        if low < high {
            (lowest, highest) = (lowest.min(low), highest.max(low));
            step = step.min(0.5 * (high - low));
        }
        flat |= low == high;
    }
    let steps = (highest - lowest) / step;
    let mut storeys = if steps <= MOST_STEPS {
        // Entries that begin in the same step meet each other, as all are longer than that.
        let mut by_step = vec![[f32::INFINITY, f32::NEG_INFINITY]; steps as usize + 1];
        for &[low, high] in spans.iter().filter(|[low, high]| low < high) {
            let step = &mut by_step[((low - lowest) / step) as usize];
            *step = [step[0].min(low), step[1].max(high)];
        }
        connected(by_step)
    } else {
        sorted(spans.iter().copied().filter(|[low, high]| low < high))
    };
    if flat {
        let is_outside = |&[low, high]: &[f32; 2]| {
            let own = storeys.partition_point(|storey: &[f32; 2]| storey[1] < low);
            low == high && storeys.get(own).is_none_or(|storey| low < storey[0])
        };
        let outside: Vec<[f32; 2]> = spans.iter().copied().filter(is_outside).collect();
        storeys = sorted(storeys.iter().copied().chain(sorted(outside.into_iter())));
    }
    if (1..=MOST_STOREYS).contains(&storeys.len()) { storeys } else { vec![ALL] }
}

const ALL: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

fn sorted(spans: impl Iterator<Item = [f32; 2]>) -> Vec<[f32; 2]> {
    let mut spans: Vec<_> = spans.collect();
    spans.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
    connected(spans)
}

/// Of spans in the order in which they begin, those that meet as one; empty ones do not count.
fn connected(spans: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
    let mut storeys: Vec<[f32; 2]> = Vec::new();
    for [low, high] in spans.into_iter().filter(|[low, high]| low <= high) {
        match storeys.last_mut() {
            Some(last) if low <= last[1] => last[1] = last[1].max(high),
            _ => storeys.push([low, high]),
        }
    }
    storeys
}

/// The runs of slots in a box, storey by storey.
pub(super) struct RunsOf<'a> {
    storeys: &'a [Storey],
    corners: (Vec3, Vec3),
    runs: Option<Runs<'a>>,
}

impl<'a> RunsOf<'a> {
    #[inline(always)]
    pub(super) fn new(storeys: &'a [Storey], corners: (Vec3, Vec3)) -> Self {
        Self { storeys, corners, runs: None }
    }
}

impl Iterator for RunsOf<'_> {
    type Item = Range<usize>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            if let Some(run) = self.runs.as_mut().and_then(Iterator::next) {
                return Some(run);
            }
            let (first, others) = self.storeys.split_first()?;
            self.runs = Some(first.grid.runs(self.corners.0, self.corners.1));
            self.storeys = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_are_cut_where_nothing_reaches() {
        let sorted_too = |spans: &[[f32; 2]], storeys: &[[f32; 2]]| {
            assert_eq!(heights_of_storeys(spans), storeys, "{spans:?}");
            // With a very short one they are sorted.
            let short = [spans[0][0], spans[0][0] + 1e-5];
            assert_eq!(heights_of_storeys(&[spans, &[short]].concat()), storeys, "{spans:?}");
        };
        sorted_too(&[[0.0, 2.0], [5.0, 7.0], [1.0, 3.0]], &[[0.0, 3.0], [5.0, 7.0]]);
        // A stair.
        sorted_too(&[[0.0, 2.0], [4.0, 6.0], [1.5, 4.5]], &[[0.0, 6.0]]);
        sorted_too(&[[-1.0, 1.0], [1.0, 3.0]], &[[-1.0, 3.0]]);
        sorted_too(
            &[[40.0, 41.0], [-9.0, 9.5], [9.6, 9.9]],
            &[[-9.0, 9.5], [9.6, 9.9], [40.0, 41.0]],
        );
    }

    #[test]
    fn what_has_no_height_connects_nothing() {
        let (walkers, pickup) = ([[0.0, 2.0], [5.0, 7.0]], |height: f32| [height; 2]);
        let with = |pickups: &[[f32; 2]]| heights_of_storeys(&[&walkers[..], pickups].concat());
        assert_eq!(with(&[pickup(0.0), pickup(1.0), pickup(7.0)]), walkers);
        let cellar = [pickup(-3.0), [0.0, 2.0], pickup(3.0), [5.0, 7.0]];
        assert_eq!(with(&[pickup(3.0), pickup(-3.0), pickup(3.0)]), cellar);
        assert_eq!(heights_of_storeys(&[pickup(3.0), pickup(3.0)]), [pickup(3.0)]);
    }

    #[test]
    fn what_has_no_place_is_on_no_storey() {
        let nowhere = [[f32::NAN; 2]; 3];
        let all = [f32::NEG_INFINITY, f32::INFINITY];
        assert_eq!(heights_of_storeys(&nowhere), [all]);
        assert_eq!(heights_of_storeys(&[]), [all]);
        let with = [&nowhere[..], &[[0.0, 1.0], [3.0, 4.0]]].concat();
        assert_eq!(heights_of_storeys(&with), [[0.0, 1.0], [3.0, 4.0]]);
        assert_eq!(heights_of_storeys(&[&with[..], &[all]].concat()), [all]);
    }

    #[test]
    fn very_many_storeys_are_one() {
        let storeys = |count: usize| -> Vec<[f32; 2]> {
            (0..count).map(|i| [i as f32, i as f32 + 0.5]).collect()
        };
        assert_eq!(heights_of_storeys(&storeys(MOST_STOREYS)), storeys(MOST_STOREYS));
        assert_eq!(heights_of_storeys(&storeys(MOST_STOREYS + 1)).len(), 1);
    }
}
