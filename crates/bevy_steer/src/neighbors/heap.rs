//! Heaps: where very many agents stand in each other, each looks at some of them.

use crate::{
    agent::id::AgentId,
    neighbors::{
        search::{Hit, Search},
        statistics::hash,
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, unset_lanes},
    },
};

/// Where so many stand in each other, any of them will do.
pub(super) const HEAP: usize = 48;
/// An agent in a heap looks at so many slots.
const SAMPLE: usize = 48;
/// And it regards so many of them.
pub(super) const ENOUGH: usize = 8;

/// Some of those in reach, if these are too many; `id` tells which.
pub(super) fn heap(touch: &Search, id: AgentId) -> Option<Vec<Hit>> {
    let (min, max) = touch.corners;
    let count = touch.storeys.iter().map(|storey| storey.grid.count(min, max)).sum();
    if count <= HEAP { None } else { sample(touch, count, id) }
}

/// Looks at blocks of slots here and there, of so many; `None` if few of them are in reach.
#[cold]
#[inline(never)]
fn sample(touch: &Search, count: usize, id: AgentId) -> Option<Vec<Hit>> {
    let every = count.div_ceil(SAMPLE);
    let mix = hash(id) as usize;
    let mut hits = dispatch(Sample { touch, every, skip: mix % every });
    let count = touch.retain(&mut hits);
    // Of all, as far as a sample can tell.
    if count < ENOUGH || count * every <= HEAP {
        return None;
    }
    let step = count / ENOUGH;
    let some = hits[..count].iter().copied().skip(mix % step).step_by(step);
    Some(some.take(ENOUGH).collect())
}

/// Looks at one block of slots in so many, after skipping some of them.
struct Sample<'s, 'a> {
    touch: &'s Search<'a>,
    every: usize,
    skip: usize,
}

impl Kernel for Sample<'_, '_> {
    type Output = Vec<Hit>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<Hit> {
        let Self { touch, every, skip } = self;
        let mut hits = Vec::with_capacity(SAMPLE);
        // Counted from the beginning of a run.
        let mut next = skip;
        for run in touch.runs() {
            let blocks = run.len().div_ceil(WIDTH);
            while next < blocks {
                let mut block = run.start + next * WIDTH..run.end;
                let (first, squared, near) = touch.take(l, &mut block);
                let squares = l.unpack(squared);
                hits.extend(unset_lanes(!near).map(|i| Hit::new(squares[i], first + i)));
                next += every;
            }
            next -= blocks;
        }
        hits
    }
}
