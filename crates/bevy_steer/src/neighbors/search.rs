//! The points in reach of one place, and the nearest of them: the work behind the queries
//! [`within`](NeighborIndex::within), [`nearest`](NeighborIndex::nearest) and
//! [`nearest_k`](NeighborIndex::nearest_k).

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    agent::{HeightSpan, SteeringLayers},
    ecs::{block, block_mut},
    neighbors::{
        Neighbor, NeighborIndex, NeighborQuery,
        bounding_tree::Node,
        entry_table::EntryKind,
        index::{EntryKey, PaddedColumn, PlaneIndex},
        levels::{Level, levels_at},
    },
    simd::{FRONT, Kernel, Lanes, WIDTH, dispatch, every, pack, unset_lanes},
    space::{SteeringPlane, bounds, shortest_on_axis},
};

/// A point in reach: its distance and its slot. In one word, as the bits of non-negative numbers
/// are in the order of the numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit(u64);

impl Hit {
    /// Farther than any point.
    const FARTHEST: Self = Self(u64::MAX);

    #[inline]
    pub(crate) fn new(distance_squared: f32, slot: usize) -> Self {
        Self(u64::from(distance_squared.to_bits()) << 32 | slot as u64)
    }

    #[inline]
    pub(crate) fn distance_squared(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline]
    pub(crate) fn slot(self) -> usize {
        self.0 as u32 as usize
    }
}

/// The coordinates of a slot, zero for one that the plane does not have.
#[inline]
pub(crate) fn point(columns: &[PaddedColumn; 3], slot: usize) -> [f32; 3] {
    columns.each_ref().map(|column| column.get().get(slot).copied().unwrap_or_default())
}

/// A search around one place.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    /// Those that are level with the agent that searches.
    levels: &'a [Level],
    space: SteeringPlane,
    /// The coordinates that the plane has, two or three; of the centre and the periods too.
    columns: [&'a [f32]; 3],
    center: [f32; 3],
    periods: [f32; 3],
    /// The corners of a box about the centre.
    corners: (Vec3, Vec3),
    /// The square of the radius; NaN if the query is invalid.
    pub limit: f32,
    /// The layers that count, unless all do; and the entity that does not count.
    layers: Option<u32>,
    except: Option<Entity>,
    /// The span of the agent that searches, and those of all entries, unless all are level.
    spans: Option<(HeightSpan, &'a [HeightSpan])>,
}

impl<'a> Search<'a> {
    #[inline]
    pub(super) fn new(index: &'a NeighborIndex, query: NeighborQuery, radius: f32) -> Self {
        let space = index.usable(query.plane);
        let plane = index.plane_index(query.plane);
        let center = query.center.in_plane(space);
        let valid = radius >= 0.0 && center.is_finite();
        let matches = |all: u32| SteeringLayers(all).overlaps(query.layers);
        let center = if valid { space.flatten(center) } else { Vec3::ZERO };
        let reach = Vec3::splat(if valid { radius } else { 0.0 });
        Self {
            index,
            plane,
            levels: levels_at(&plane.levels, query.span),
            space,
            columns: plane.positions.each_ref().map(PaddedColumn::get),
            center: space.project(center),
            periods: space.project(index.bounds.periods()),
            corners: (center - reach, center + reach),
            limit: if valid { radius * radius } else { f32::NAN },
            layers: (!index.layers.same().is_some_and(matches)).then_some(query.layers.0),
            except: query.except,
            spans: query.span.zip(plane.spans.each()),
        }
    }

    /// The slots that may be in reach, and others.
    fn runs(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (min, max) = self.corners;
        self.levels.iter().flat_map(move |level| level.grid.runs(min, max))
    }

    /// The next radius to search, if a wider search can find more.
    pub(super) fn wider(&self, radius: f32, within: f32) -> Option<f32> {
        if self.limit.is_nan() || radius >= within {
            return None;
        }
        let (min, max) = self.corners;
        let is_all = self.levels.iter().all(|level| level.grid.is_everything(min, max));
        Some(if is_all { within } else { (radius * 1.6).min(within) })
    }

    /// The way to this slot, by the coordinates of the plane.
    fn offset(&self, slot: usize) -> [f32; 3] {
        let along =
            |d: usize| bounds::around(self.columns[d][slot] - self.center[d], self.periods[d]);
        [along(0), along(1), if self.space.is_planar() { 0.0 } else { along(2) }]
    }

    /// The square of the distance of a slot, by the same bits.
    #[inline]
    pub(super) fn distance_squared(&self, slot: usize) -> f32 {
        let [x, y, z] = self.offset(slot);
        x * x + y * y + z * z
    }

    /// No more than the square of the distance of any point in a box.
    #[inline]
    pub(super) fn gap_squared(&self, of: &Node) -> f32 {
        const SLACK: f32 = 4.0 * f32::EPSILON;
        let mut squared = 0.0;
        for d in 0..3 {
            let (middle, half) = (0.5 * (of.low[d] + of.high[d]), 0.5 * (of.high[d] - of.low[d]));
            let offset = bounds::around(middle - self.center[d], self.periods[d]).abs();
            let slack = SLACK * (middle.abs() + self.center[d].abs() + half);
            let along = (offset - half - slack).max(0.0);
            squared += along * along;
        }
        squared * (1.0 - SLACK)
    }

    /// Takes up to eight slots off a run that is not empty: the first, the squares of their
    /// distances, and which are in reach, one bit each.
    #[inline(always)]
    fn take<L: Lanes>(&self, l: L, run: &mut Range<usize>) -> (usize, L::F, u8) {
        let first = run.start;
        run.start = run.end.min(first + WIDTH);
        let here = u8::MAX >> (WIDTH - (run.start - first));
        let dimensions = if self.space.is_planar() { 2 } else { 3 };
        let mut squared = l.splat(0.0);
        for d in 0..dimensions {
            let straight = l.sub(l.pack(*block(self.columns[d], first)), l.splat(self.center[d]));
            let along = shortest_on_axis(l, straight, self.periods[d]);
            squared = l.add(squared, l.mul(along, along));
        }
        (first, squared, here & l.bits(l.le(squared, l.splat(self.limit))))
    }

    fn key(&self, slot: usize) -> EntryKey {
        self.index.key(self.plane, slot)
    }

    #[inline]
    pub(super) fn counts(&self, slot: usize) -> bool {
        self.layers
            .is_none_or(|wanted| wanted & self.index.layers.get(|| self.plane.entry(slot)) != 0)
            && self.except.is_none_or(|except| self.index.entity(self.plane, slot) != except)
            && self.spans.is_none_or(|(own, all)| own.meets(all[self.plane.entry(slot)]))
    }

    /// Which of eight slots count, one bit each.
    fn counting(&self, first: usize, bits: u8) -> u8 {
        if self.layers.is_none() && self.except.is_none() && self.spans.is_none() {
            return bits;
        }
        unset_lanes(!bits).fold(bits, |bits, lane| {
            if self.counts(first + lane) { bits } else { bits & !(1 << lane) }
        })
    }

    /// Moves those that count to the front; returns their number.
    fn retain(&self, some: &mut [Hit]) -> usize {
        let takes_all = self.layers.is_none() && self.except.is_none() && self.spans.is_none();
        if takes_all {
            return some.len();
        }
        let mut kept = 0;
        for i in 0..some.len() {
            let one = some[i];
            some[kept] = one;
            kept += usize::from(self.counts(one.slot()));
        }
        kept
    }

    /// The nearer of two; of equally near ones the one with the lower id.
    pub(super) fn nearer(&self, best: Option<Hit>, hit: Hit) -> Hit {
        let (away, key) = (Hit::distance_squared, |hit: Hit| self.key(hit.slot()));
        match best {
            Some(best) if away(best) < away(hit) => best,
            Some(best) if away(best) == away(hit) && key(best) < key(hit) => best,
            _ => hit,
        }
    }

    #[inline]
    pub(super) fn neighbor(&self, hit: Hit) -> Neighbor {
        let slot = hit.slot();
        let key = self.key(slot);
        let kind = self.index.kinds.get(|| self.plane.entry(slot));
        Neighbor {
            entity: key.entity,
            id: key.id,
            offset: self.space.unproject(self.offset(slot)),
            distance_squared: hit.distance_squared(),
            velocity: self.space.unproject(point(&self.plane.velocities, slot)),
            radius: self.index.radii.get(|| self.plane.entry(slot)),
            is_agent: kind == EntryKind::Agent,
            moves: kind != EntryKind::Thing,
            layers: SteeringLayers(self.index.layers.get(|| self.plane.entry(slot))),
        }
    }
}

impl NeighborIndex {
    /// Sorts by distance, and equally distant ones by their ids.
    pub(crate) fn sort_hits(&self, plane: &PlaneIndex, hits: &mut [Hit]) {
        hits.sort_unstable();
        let as_near = |a: &Hit, b: &Hit| a.distance_squared() == b.distance_squared();
        for ring in hits.chunk_by_mut(as_near) {
            if ring.len() > 1 {
                ring.sort_unstable_by_key(|one| self.key(plane, one.slot()));
            }
        }
    }
}

/// This many are searched for at once: usually all, so that lanes are dispatched once.
const BATCH: usize = 32;

/// See [`NeighborIndex::within`].
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
    fn all(mut self, mut f: impl FnMut(&[Hit])) {
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

/// The `count` nearest in reach, or as many as there are, nearest first; equally near ones by id.
pub(super) fn nearest_few(search: &Search, count: usize, hits: &mut Vec<Hit>) {
    hits.clear();
    in_reach(*search).all(|some| hits.extend_from_slice(some));
    put_in_order(search, count, hits);
}

/// The same of some slots, which may come several times.
pub(super) fn nearest_few_of(
    search: &Search,
    count: usize,
    slots: impl Iterator<Item = usize>,
) -> Vec<Hit> {
    let hits = slots.map(|slot| Hit::new(search.distance_squared(slot), slot));
    let is_near = |hit: &Hit| hit.distance_squared() <= search.limit;
    let mut hits: Vec<Hit> = hits.filter(is_near).filter(|hit| search.counts(hit.slot())).collect();
    hits.sort_unstable();
    hits.dedup();
    put_in_order(search, count, &mut hits);
    hits
}

fn put_in_order(search: &Search, count: usize, hits: &mut Vec<Hit>) {
    if hits.len() > 2 * count.max(WIDTH) {
        let (_, &mut last, _) = hits.select_nth_unstable(count - 1);
        hits.retain(|one| one.distance_squared() <= last.distance_squared());
    }
    search.index.sort_hits(search.plane, hits);
}

/// The nearest in reach; of several equally near the one with the lowest id.
pub(super) fn nearest(search: &Search) -> Option<Hit> {
    dispatch(Nearest(search))
}

/// See [`nearest`].
struct Nearest<'s, 'a>(&'s Search<'a>);

impl Kernel for Nearest<'_, '_> {
    type Output = Option<Hit>;

    /// Each lane finds its own nearest, then the nearest of them is picked.
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<Hit> {
        let Self(search) = self;
        let (mut nearest, mut slots) = (l.splat(f32::INFINITY), l.splat(0.0));
        let (mut is_found, mut is_tied) = (l.bits_to_mask(0), l.bits_to_mask(0));
        for mut run in search.runs() {
            while run.start < run.end {
                let (first, squared, near) = search.take(l, &mut run);
                let no_farther = near & l.bits(l.le(squared, nearest));
                let no_farther = l.bits_to_mask(search.counting(first, no_farther));
                let is_as_near = l.and(no_farther, l.le(nearest, squared));
                is_tied = l.or(is_tied, is_as_near);
                is_found = l.or(is_found, no_farther);
                nearest = l.select(no_farther, squared, nearest);
                // As bits of numbers, as there is no choice of integers in lanes.
                let here = pack!(l, i => f32::from_bits((first + i) as u32));
                slots = l.select(no_farther, here, slots);
            }
        }
        let is_found = l.bits(is_found);
        if is_found == 0 {
            return None;
        }
        let (squares, slots) = (l.unpack(nearest), l.unpack(slots));
        let each = every!(i => if is_found >> i & 1 == 1 {
            Hit::new(squares[i], slots[i].to_bits() as usize)
        } else {
            Hit::FARTHEST
        });
        let one = each.into_iter().fold(Hit::FARTHEST, Hit::min);
        let as_near = l.bits(l.le(nearest, l.splat(one.distance_squared()))) & is_found;
        let is_tied = l.bits(is_tied) != 0 || !as_near.is_power_of_two();
        Some(if is_tied { first_of_nearest(search, one) } else { one })
    }
}

/// The one with the lowest id of all that are as near as `nearest`.
#[cold]
fn first_of_nearest(search: &Search, nearest: Hit) -> Hit {
    let mut first = nearest;
    in_reach(*search).all(|some| {
        let as_near =
            some.iter().filter(|one| one.distance_squared() == nearest.distance_squared());
        first = as_near.fold(first, |first, &one| search.nearer(Some(first), one));
    });
    first
}
