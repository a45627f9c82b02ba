//! All points in reach of one place: the work behind
//! [`NeighborIndex::within`](super::NeighborIndex::within).

use core::ops::Range;

use crate::{
    ecs::columns::block_mut,
    neighbors::{
        Neighbor,
        search::{Hit, Search},
    },
    simd::{
        dispatch::dispatch,
        lanes::{FRONT, Kernel, Lanes, WIDTH, every},
    },
};

/// This many are searched for at once: usually all, so that lanes are dispatched once.
const BATCH: usize = 32;

/// See [`NeighborIndex::within`](super::NeighborIndex::within).
pub(super) struct Within<'a, R> {
    search: Search<'a>,
    /// The slots that were not searched yet.
    runs: R,
    run: Range<usize>,
    hits: [Hit; BATCH],
    /// The hits that were found and not yet returned.
    ready: Range<usize>,
}

/// The points in reach of a search.
#[inline]
pub(super) fn in_reach(search: Search<'_>) -> Within<'_, impl Iterator<Item = Range<usize>>> {
    let (runs, hits) = (search.runs(), [Hit::default(); BATCH]);
    Within { search, runs, run: 0..0, hits, ready: 0..0 }
}

impl<R: Iterator<Item = Range<usize>>> Within<'_, R> {
    /// Searches for some more; empty if there are none.
    fn more(&mut self) -> &[Hit] {
        let Self { search, runs, run, hits, .. } = self;
        loop {
            let found = dispatch(Look { search, runs, run, hits });
            let kept = search.retain(&mut hits[..found]);
            if kept > 0 || found == 0 {
                return &hits[..kept];
            }
        }
    }

    /// Calls `f` with all that were not found yet, some at a time.
    pub(super) fn all(mut self, mut f: impl FnMut(&[Hit])) {
        let Self { search, runs, run, hits, .. } = &mut self;
        loop {
            let found = dispatch(Look { search, runs, run, hits });
            let kept = search.retain(&mut hits[..found]);
            f(&hits[..kept]);
            // It is the last time if there was room left.
            if found + WIDTH <= BATCH {
                return;
            }
        }
    }
}

impl<R: Iterator<Item = Range<usize>>> Iterator for Within<'_, R> {
    type Item = Neighbor;

    fn next(&mut self) -> Option<Neighbor> {
        if self.ready.is_empty() {
            self.ready = 0..self.more().len();
        }
        let one = self.ready.next()?;
        Some(self.search.neighbor(self.hits[one]))
    }

    /// All the rest in one loop, which is faster than one by one: `for_each`, `count` and the like
    /// use it.
    fn fold<B, F: FnMut(B, Neighbor) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        loop {
            for &one in &self.hits[self.ready.clone()] {
                folded = f(folded, self.search.neighbor(one));
            }
            self.ready = 0..self.more().len();
            if self.ready.is_empty() {
                return folded;
            }
        }
    }
}

/// Searches on while there is room for eight hits more; returns the number of hits.
struct Look<'s, 'a, R> {
    search: &'s Search<'a>,
    runs: &'s mut R,
    run: &'s mut Range<usize>,
    hits: &'s mut [Hit],
}

impl<R: Iterator<Item = Range<usize>>> Kernel for Look<'_, '_, R> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> usize {
        let Self { search, runs, run, hits } = self;
        let mut count = 0;
        loop {
            while run.start < run.end {
                if count + WIDTH > hits.len() {
                    return count;
                }
                let (first, squared, near) = search.take(l, run);
                let squares = l.unpack(l.to_front(squared, near));
                let lanes = &FRONT[usize::from(near)];
                // All eight lanes: a branch that depends on distances would wait for them.
                *block_mut(hits, count) =
                    every!(i => Hit::new(squares[i], first + usize::from(lanes[i])));
                count += near.count_ones() as usize;
            }
            match runs.next() {
                Some(next) => *run = next,
                None => return count,
            }
        }
    }
}
