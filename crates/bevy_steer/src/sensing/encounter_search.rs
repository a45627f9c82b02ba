//! [`EncounterSearch`]: up to eight agents that are near to each other look together for others,
//! those that come into the [`EncounterRange`] of each.

use crate::{
    agent::SteeringLayers,
    neighbors::{Candidates, EntryKind, Hit, Level, NeighborIndex, PlaneIndex},
    sensing::{
        encounter_pass::ListsOfPiece,
        encounter_range::{EncounterRange, Passing},
        encounter_requests::Lookout,
    },
    simd::{Lanes, Outlined, WIDTH, at_indices, pack, unset_lanes},
    space::shortest_on_axis,
};

/// The maximum number of others that an agent regards: the nearest of those that it may collide
/// with.
const MAX_ENCOUNTERS: usize = 16;
/// The same where dozens of agents overlap.
const MAX_IN_PILE: usize = 8;
/// More candidates than this within the room of a single agent are a pile of overlapping agents.
const PILE: usize = 48;
/// The number that is collected before the nearest of them are taken.
const COLLECTED: usize = 6 * MAX_ENCOUNTERS;
/// The number of candidates that are noted before they are shared out among the agents.
const NOTED: usize = 128;
/// The number of hits that are quickly sorted in lanes.
const QUICKLY_SORTED: usize = 3 * MAX_ENCOUNTERS;

/// Up to eight agents that are near to each other, by their slots.
#[derive(Clone, Copy)]
pub(super) struct LookoutGroup {
    pub slots: [usize; WIDTH],
    pub lookouts: [Lookout; WIDTH],
    pub len: usize,
}

impl LookoutGroup {
    /// An empty group, which begins with this agent.
    pub(super) fn beginning(slot: usize, lookout: Lookout) -> Self {
        Self { slots: [slot; WIDTH], lookouts: [lookout; WIDTH], len: 0 }
    }

    pub(super) fn push(&mut self, slot: usize, lookout: Lookout) {
        self.slots[self.len..].fill(slot);
        self.lookouts[self.len..].fill(lookout);
        self.len += 1;
    }

    /// The greatest that a lookout measures.
    fn greatest(&self, measure: impl Fn(&EncounterRange) -> f32) -> f32 {
        let all = self.lookouts[..self.len].iter().map(|own| measure(&own.range));
        all.fold(0.0, f32::max)
    }

    #[inline(always)]
    fn ranges<L: Lanes>(&self, l: L) -> EncounterRange<L> {
        let all = self.lookouts.map(|lookout| lookout.range.to_array());
        EncounterRange::from_array(at_indices!(k => pack!(l, i => all[i][k]), 0 1 2 3 4))
    }
}

/// The places and velocities of a group, and the corners of the box around it.
struct Motions<L: Lanes, const D: usize> {
    position: [L::F; D],
    velocity: [L::F; D],
    low: [f32; D],
    high: [f32; D],
}

impl<L: Lanes, const D: usize> Motions<L, D> {
    #[inline(always)]
    fn of(l: L, plane: &PlaneIndex, group: &LookoutGroup) -> Self {
        let zero = [l.splat(0.0); D];
        let mut all = Self { position: zero, velocity: zero, low: [0.0; D], high: [0.0; D] };
        for d in 0..D {
            let (positions, velocities) = (plane.positions[d].get(), plane.velocities[d].get());
            let own = group.slots.map(|slot| positions[slot]);
            all.low[d] = own.into_iter().fold(f32::INFINITY, f32::min);
            all.high[d] = own.into_iter().fold(f32::NEG_INFINITY, f32::max);
            all.position[d] = l.pack(own);
            all.velocity[d] = pack!(l, i => velocities[group.slots[i]]);
        }
        all
    }
}

/// The search of a thread, with the memory that it uses again for each group.
pub(super) struct EncounterSearch<'a, const D: usize> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    /// The levels that its agents may find others on.
    levels: &'a [Level],
    /// The layers of all, where these alone tell which others count.
    same_layers: Option<SteeringLayers>,
    candidates: Candidates<D>,
    hits: Box<Hits>,
    found: [Vec<Hit>; WIDTH],
}

impl<'a, const D: usize> EncounterSearch<'a, D> {
    pub(super) fn new(
        index: &'a NeighborIndex,
        plane: &'a PlaneIndex,
        levels: &'a [Level],
        axes: [usize; D],
    ) -> Self {
        let is_alike = index.kinds.same() == Some(EntryKind::Agent) && plane.spans.same().is_some();
        Self {
            index,
            plane,
            levels,
            same_layers: index.layers.same().filter(|_| is_alike).map(SteeringLayers),
            candidates: Candidates::new(axes),
            hits: Box::new(Hits::new()),
            found: Default::default(),
        }
    }

    /// Adds to `lists` what each of a group may collide with: of each level the nearest, all in the
    /// order of their distances and ids.
    #[inline(always)]
    pub(super) fn look<L: Lanes>(&mut self, l: L, group: &LookoutGroup, lists: &mut ListsOfPiece) {
        let motions = Motions::of(l, self.plane, group);
        for level in self.levels {
            let here = core::slice::from_ref(level);
            // Where many may be in the room of the agents, a sample tells which of these are in a
            // pile. These regard some of the sample.
            let mut lanes = u8::MAX >> (WIDTH - group.len);
            let room = group.greatest(|own| own.touch(level.largest));
            self.candidates.find(here, motions.low, motions.high, room);
            if self.candidates.count > PILE {
                let salt = self.index.id(self.plane, group.slots[0]).hash() as usize;
                let stride = self.candidates.take_sample(PILE, salt);
                self.compare(l, group, &motions, lanes);
                lanes &= !self.take_piles(group, stride);
            }
            if lanes != 0 {
                let reach = group.greatest(|own| own.reach(level.fastest, level.largest));
                self.candidates.find(here, motions.low, motions.high, reach);
                self.compare(l, group, &motions, lanes);
                for lane in unset_lanes(!lanes) {
                    let hits = self.hits.of(lane);
                    self.found[lane].extend_from_slice(hits);
                    if self.levels.len() > 1 {
                        let before = self.found[lane].len() - hits.len();
                        self.keep_nearest(lane, before);
                    }
                }
            }
        }
        let most = if self.levels.len() == 1 { MAX_ENCOUNTERS } else { QUICKLY_SORTED };
        for lane in 0..group.len {
            let begin = lists.slots.len();
            if !add_sorted(l, &self.found[lane], most, &mut lists.slots) {
                if self.levels.len() == 1 {
                    self.keep_nearest(lane, 0);
                }
                self.index.sort_hits(self.plane, &mut self.found[lane]);
                lists.slots.extend(self.found[lane].iter().map(|hit| hit.slot() as u32));
            }
            self.found[lane].clear();
            lists.end(group.slots[lane], begin);
        }
    }

    /// Notes for each of these lanes which candidates count for it.
    #[inline(always)]
    fn compare<L: Lanes>(
        &mut self,
        l: L,
        group: &LookoutGroup,
        motions: &Motions<L, D>,
        lanes: u8,
    ) {
        let Self { index, plane, same_layers, .. } = *self;
        let filter = Filter { index, plane, same_layers, group };
        let (candidates, hits) = (&self.candidates, &mut *self.hits);
        hits.counts = [0; WIDTH];
        let range = group.ranges(l);
        l.outlined(Compare { filter: &filter, motions, range, lanes, candidates, hits });
        hits.share_out(&filter);
        for lane in 0..group.len {
            hits.counts[lane] = filter.retain(lane, &mut hits.all[lane][..hits.counts[lane]]);
        }
    }

    /// The lanes that are in a pile, by what was found in a sample of the candidates. Each regards
    /// some of that, not all the same.
    #[cold]
    #[inline(never)]
    fn take_piles(&mut self, group: &LookoutGroup, stride: usize) -> u8 {
        let mut piles = 0;
        for lane in 0..group.len {
            let hits = self.hits.of(lane);
            if hits.len() >= MAX_IN_PILE && hits.len() * stride > PILE {
                let step = hits.len() / MAX_IN_PILE;
                let first = self.index.id(self.plane, group.slots[lane]).hash() as usize % step;
                let some = hits.iter().skip(first).step_by(step).take(MAX_IN_PILE);
                self.found[lane].extend(some);
                piles |= 1 << lane;
            }
        }
        piles
    }

    /// Of what an agent has found from the hit `first` on, keeps the nearest.
    fn keep_nearest(&mut self, lane: usize, first: usize) {
        let found = &mut self.found[lane];
        if found.len() - first > MAX_ENCOUNTERS {
            let count = cut(&mut found[first..]);
            found.truncate(first + count);
            self.index.sort_hits(self.plane, &mut found[first..]);
            found.truncate(first + MAX_ENCOUNTERS);
        }
    }
}

/// Compares a group with all candidates.
struct Compare<'s, 'a, L: Lanes, const D: usize> {
    filter: &'s Filter<'a>,
    motions: &'s Motions<L, D>,
    range: EncounterRange<L>,
    /// The lanes in use, one bit each.
    lanes: u8,
    candidates: &'s Candidates<D>,
    hits: &'s mut Hits,
}

impl<L: Lanes, const D: usize> Outlined<L> for Compare<'_, '_, L, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, l: L) {
        let Self { filter, motions, range, lanes, candidates, hits } = self;
        let Motions { position, velocity, .. } = *motions;
        let (index, plane) = (filter.index, filter.plane);
        let room_beside_body = l.add(range.room, range.body);
        let positions: [&[f32]; D] = core::array::from_fn(|d| plane.positions[d].get());
        let velocities: [&[f32]; D] = core::array::from_fn(|d| plane.velocities[d].get());
        for run in &candidates.runs {
            let mut from = position;
            for d in 0..D {
                from[d] = l.sub(position[d], l.splat(run.shift[d]));
            }
            let count = run.end - run.start;
            let positions = positions.map(|column| &column[run.start..][..count]);
            let velocities = velocities.map(|column| &column[run.start..][..count]);
            for i in 0..count {
                let mut pass = Passing::at_rest(l);
                for d in 0..D {
                    let mut along = l.sub(l.splat(positions[d][i]), from[d]);
                    if let Some(periods) = candidates.periods {
                        along = shortest_on_axis(l, along, periods[d]);
                    }
                    pass.add(l, along, velocity[d], l.splat(velocities[d][i]));
                }
                let slot = run.start + i;
                let room = match index.kinds.get(|| plane.entry(slot)) {
                    EntryKind::Agent => {
                        l.add(range.room, l.splat(index.radii.get(|| plane.entry(slot))))
                    }
                    EntryKind::Mover => room_beside_body,
                    EntryKind::Thing => continue,
                };
                let bits = lanes & l.bits(range.may_collide(l, pass, room));
                hits.note(filter, slot, bits, l.unpack(pass.squared));
            }
        }
    }
}

/// Tells which of those that agents may collide with count.
struct Filter<'a> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    same_layers: Option<SteeringLayers>,
    group: &'a LookoutGroup,
}

impl Filter<'_> {
    /// Moves those that count for an agent to the front; returns their number.
    fn retain(&self, lane: usize, hits: &mut [Hit]) -> usize {
        let Self { index, plane, same_layers, group } = *self;
        let (own, layers) = (group.slots[lane], group.lookouts[lane].layers);
        if let Some(shared) = same_layers {
            return if shared.overlaps(layers) { hits.len() } else { 0 };
        }
        let spans = plane.spans.each();
        let mut count = 0;
        for i in 0..hits.len() {
            let entry = plane.entry(hits[i].slot());
            hits[count] = hits[i];
            let is_seen = SteeringLayers(index.layers.get(|| entry)).overlaps(layers);
            let is_level = spans.is_none_or(|all| all[plane.entry(own)].meets(all[entry]));
            count += usize::from(is_seen && is_level);
        }
        count
    }
}

/// What each of a group has found so far on a level.
struct Hits {
    /// Candidates that some of them may collide with: their slots, the lanes of these agents, one
    /// bit each, and the squares of the distances.
    slots: [u32; NOTED],
    lanes: [u8; NOTED],
    squares: [[f32; WIDTH]; NOTED],
    noted: usize,
    all: [[Hit; COLLECTED + NOTED]; WIDTH],
    counts: [usize; WIDTH],
}

impl Hits {
    fn new() -> Self {
        Self {
            slots: [0; NOTED],
            lanes: [0; NOTED],
            squares: [[0.0; WIDTH]; NOTED],
            noted: 0,
            all: [[Hit::default(); COLLECTED + NOTED]; WIDTH],
            counts: [0; WIDTH],
        }
    }

    fn of(&self, lane: usize) -> &[Hit] {
        &self.all[lane][..self.counts[lane]]
    }

    /// Notes a candidate, if any bit is set. Without a branch on that, which would be mispredicted.
    #[inline(always)]
    fn note(&mut self, filter: &Filter, slot: usize, lanes: u8, squares: [f32; WIDTH]) {
        let next = self.noted;
        self.slots[next] = slot as u32;
        self.lanes[next] = lanes;
        self.squares[next] = squares;
        self.noted = next + usize::from(lanes != 0);
        if self.noted == NOTED {
            self.share_out(filter);
        }
    }

    /// Shares out what is noted.
    #[inline(never)]
    fn share_out(&mut self, filter: &Filter) {
        let Self { slots, lanes, squares, noted, all, counts } = self;
        for (lane, (hits, count)) in all.iter_mut().zip(counts).enumerate() {
            let (own, mut next) = (filter.group.slots[lane], *count);
            let noted = slots.iter().zip(&*lanes).zip(&*squares).take(*noted);
            for ((&slot, &lanes), squares) in noted {
                hits[next] = Hit::new(squares[lane], slot as usize);
                next += usize::from(lanes >> lane & 1) & usize::from(slot as usize != own);
            }
            if next > COLLECTED {
                next = filter.retain(lane, &mut hits[..next]);
            }
            *count = if next > COLLECTED { cut(&mut hits[..next]) } else { next };
        }
        *noted = 0;
    }
}

/// Moves the nearest to the front, and all that are as near as the last of them; returns their
/// number.
fn cut(hits: &mut [Hit]) -> usize {
    let (_, &mut last, _) = hits.select_nth_unstable(MAX_ENCOUNTERS - 1);
    let mut kept = MAX_ENCOUNTERS;
    for i in MAX_ENCOUNTERS..hits.len() {
        if hits[i].distance_squared() == last.distance_squared() {
            hits.swap(kept, i);
            kept += 1;
        }
    }
    if kept > COLLECTED / 2 { MAX_ENCOUNTERS } else { kept }
}

/// Adds the slots of the nearest `most` in the order of their distances. Adds nothing, and returns
/// false, if there are many or two are equally distant.
#[inline(always)]
fn add_sorted<L: Lanes>(l: L, hits: &[Hit], most: usize, slots: &mut Vec<u32>) -> bool {
    if hits.len() > QUICKLY_SORTED {
        return false;
    }
    let mut squares = [[f32::INFINITY; WIDTH]; QUICKLY_SORTED / WIDTH];
    let places = squares.as_flattened_mut();
    places.iter_mut().zip(hits).for_each(|(place, hit)| *place = hit.distance_squared());
    let (mut sorted, mut sum) = ([0; QUICKLY_SORTED], 0);
    for (some, squares) in hits.chunks(WIDTH).zip(squares) {
        // How many are nearer than each of these.
        let (mut ranks, squares) = (l.splat(0.0), l.pack(squares));
        for hit in hits {
            let is_nearer = l.lt(l.splat(hit.distance_squared()), squares);
            ranks = l.add_where(is_nearer, ranks, l.splat(1.0));
        }
        for (hit, rank) in some.iter().zip(l.whole(ranks)) {
            sorted[rank as usize] = hit.slot() as u32;
            sum += rank as usize;
        }
    }
    if 2 * sum != hits.len() * hits.len().saturating_sub(1) {
        return false;
    }
    slots.extend_from_slice(&sorted[..hits.len().min(most)]);
    true
}
