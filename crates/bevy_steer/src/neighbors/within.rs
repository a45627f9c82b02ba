//! Everybody in reach of one place: the work behind [`NeighborIndex::within`](super::NeighborIndex::within).

use core::ops::Range;

use crate::{
    ecs::columns::block_mut,
    grid::cell_grid::Runs,
    neighbors::{
        Neighbor,
        search::{Hit, Search},
    },
    simd::{
        dispatch::dispatch,
        lanes::{FRONT, Kernel, Lanes, WIDTH, every},
    },
};

/// So many are looked for at once: mostly all that there are, so that the way to the lanes is gone once.
const SOME: usize = 32;

/// See [`NeighborIndex::within`](super::NeighborIndex::within).
pub(super) struct Within<'a> {
    search: Search<'a>,
    rest: Rest<'a>,
    some: [Hit; SOME],
    /// Who of `some` has been found and not yet given away.
    ready: Range<usize>,
}

/// Where nobody has been looked for yet.
struct Rest<'a> {
    runs: Runs<'a>,
    run: Range<usize>,
}

impl<'a> Within<'a> {
    #[inline]
    pub(super) fn new(search: Search<'a>) -> Self {
        let (min, max) = search.corners;
        let rest = Rest { runs: search.plane.grid.runs(min, max), run: 0..0 };
        Self { search, rest, some: [Hit::default(); SOME], ready: 0..0 }
    }

    /// Looks for some more; nobody if there are none.
    #[inline]
    pub(super) fn more(&mut self) -> &[Hit] {
        let Self { search, rest, some, .. } = self;
        loop {
            let found = dispatch(Look { search, rest, some });
            let kept = search.retain(&mut some[..found]);
            if kept > 0 || found == 0 {
                return &some[..kept];
            }
        }
    }
}

impl Iterator for Within<'_> {
    type Item = Neighbor;

    #[inline]
    fn next(&mut self) -> Option<Neighbor> {
        if self.ready.is_empty() {
            self.ready = 0..self.more().len();
        }
        let one = self.ready.next()?;
        Some(self.search.neighbor(self.some[one]))
    }

    /// All the rest in one go, which is quicker than one by one: what `for_each`, `map`, `count` and the like come down to.
    #[inline]
    fn fold<B, F: FnMut(B, Neighbor) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        loop {
            for &one in &self.some[self.ready.clone()] {
                folded = f(folded, self.search.neighbor(one));
            }
            self.ready = 0..self.more().len();
            if self.ready.is_empty() {
                return folded;
            }
        }
    }
}

/// See [`Within::more`].
struct Look<'s, 'a> {
    search: &'s Search<'a>,
    rest: &'s mut Rest<'a>,
    some: &'s mut [Hit; SOME],
}

impl Kernel for Look<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> usize {
        let Self { search, rest: Rest { runs, run }, some } = self;
        let mut count = 0;
        loop {
            while run.start < run.end {
                if count > SOME - WIDTH {
                    return count;
                }
                let (first, squared, near) = search.take(l, run);
                let squares = l.unpack(l.to_front(squared, near));
                let lanes = &FRONT[usize::from(near)];
                // All eight, whoever is near: a branch that depends on places would wait for them.
                *block_mut(some, count) =
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
