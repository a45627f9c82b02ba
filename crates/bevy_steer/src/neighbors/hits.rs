//! What each of a group of agents finds.

use crate::{
    agent::{height::meet, layers::SteeringLayers},
    neighbors::{
        Lookout, NeighborIndex, PlaneIndex,
        approach::{COLLECTED, MOST, cut, is_regarded},
        search::Hit,
        usual::Usual,
    },
    simd::lanes::{Lanes, WIDTH},
};

/// Up to eight agents that are near to each other.
pub(super) struct Group {
    pub(super) slots: [usize; WIDTH],
    pub(super) lookouts: [Lookout; WIDTH],
    pub(super) len: usize,
}

/// Tells which of those that agents may meet count.
pub(super) struct Filter<'a> {
    pub(super) index: &'a NeighborIndex,
    pub(super) plane: &'a PlaneIndex,
    pub(super) usual: &'a Usual,
    /// The layers of all, where they and nothing else tell which ones count.
    pub(super) shared: Option<SteeringLayers>,
    pub(super) group: &'a Group,
}

impl Filter<'_> {
    /// Moves those that count for an agent to the front; returns their number.
    #[inline(always)]
    pub(super) fn retain(&self, lane: usize, hits: &mut [Hit]) -> usize {
        let Self { index, plane, usual, shared, group } = *self;
        let (own, layers) = (group.slots[lane], group.lookouts[lane].layers);
        if let Some(shared) = shared {
            return if shared.overlaps(layers) { hits.len() } else { 0 };
        }
        let spans = plane.spans.each();
        let mut count = 0;
        for i in 0..hits.len() {
            let (one, slot) = (hits[i], hits[i].slot());
            hits[count] = one;
            let entry = plane.entry(slot);
            let is_seen = SteeringLayers(index.layers.get(|| entry)).overlaps(layers);
            let is_level = spans.is_none_or(|spans| meet(spans[plane.entry(own)], spans[entry]));
            let is_regarded = is_regarded(index, plane, usual, slot);
            count += usize::from(is_seen && is_level && is_regarded);
        }
        count
    }
}

/// So many candidates are noted before they are shared out among those that may meet them.
const NOTED: usize = 128;

/// What each of a group has found so far.
pub(super) struct Hits {
    /// Candidates that some of them may meet: their slots, which may meet it, one bit each, and the
    /// squares of the distances.
    slots: [u32; NOTED],
    bits: [u8; NOTED],
    squares: [[f32; WIDTH]; NOTED],
    noted: usize,
    pub(super) all: [[Hit; COLLECTED + NOTED]; WIDTH],
    pub(super) counts: [usize; WIDTH],
}

impl Hits {
    pub(super) fn new() -> Self {
        Self {
            slots: [0; NOTED],
            bits: [0; NOTED],
            squares: [[0.0; WIDTH]; NOTED],
            noted: 0,
            all: [[Hit::default(); COLLECTED + NOTED]; WIDTH],
            counts: [0; WIDTH],
        }
    }

    /// Notes a candidate, if any bit is set. Without a branch on that, which would be mispredicted.
    #[inline(always)]
    pub(super) fn note(&mut self, filter: &Filter, slot: usize, bits: u8, squares: [f32; WIDTH]) {
        let place = self.noted;
        self.slots[place] = slot as u32;
        self.bits[place] = bits;
        self.squares[place] = squares;
        self.noted = place + usize::from(bits != 0);
        if self.noted == NOTED {
            self.share_out(filter);
        }
    }

    /// Shares out what is noted.
    #[inline(never)]
    pub(super) fn share_out(&mut self, filter: &Filter) {
        let Self { slots, bits, squares, noted, all, counts } = self;
        for (lane, (hits, count)) in all.iter_mut().zip(counts).enumerate() {
            let (own, mut next) = (filter.group.slots[lane], *count);
            for ((&slot, &bits), squares) in slots.iter().zip(&*bits).zip(&*squares).take(*noted) {
                hits[next] = Hit::new(squares[lane], slot as usize);
                next += usize::from(bits >> lane & 1) & usize::from(slot as usize != own);
            }
            if next > COLLECTED {
                next = filter.retain(lane, &mut hits[..next]);
            }
            *count = if next > COLLECTED { cut(&mut hits[..next]).0 } else { next };
        }
        *noted = 0;
    }
}

/// So many are quickly sorted.
pub(super) const FEW: usize = 3 * MOST;

/// Adds the slots of the nearest [`MOST`] of no more than [`FEW`] in the order of their distances;
/// false if two are equally distant.
#[inline(always)]
pub(super) fn add_sorted<L: Lanes>(l: L, hits: &[Hit], slots: &mut Vec<u32>) -> bool {
    let mut squares = [[f32::INFINITY; WIDTH]; FEW / WIDTH];
    let places = squares.as_flattened_mut();
    places.iter_mut().zip(hits).for_each(|(place, hit)| *place = hit.distance_squared());
    let (mut sorted, mut sum) = ([0; FEW], 0);
    for (some, squares) in hits.chunks(WIDTH).zip(squares) {
        // How many are nearer than each of these.
        let (mut ranks, squares) = (l.no_count(), l.pack(squares));
        for hit in hits {
            ranks = l.count(ranks, l.lt(l.splat(hit.distance_squared()), squares));
        }
        for (hit, rank) in some.iter().zip(l.whole(l.counted(ranks))) {
            sorted[rank as usize] = hit.slot() as u32;
            sum += rank as usize;
        }
    }
    slots.extend_from_slice(&sorted[..hits.len().min(MOST)]);
    2 * sum == hits.len() * hits.len().saturating_sub(1)
}
