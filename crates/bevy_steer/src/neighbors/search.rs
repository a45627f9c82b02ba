//! Who is in reach of one place: the work behind the queries.

use core::ops::Range;

use bevy::prelude::*;

use super::{
    Neighbor, NeighborIndex, NeighborQuery, Numbers,
    grid::Runs,
    index::{PlaneIndex, Who},
};
use crate::{
    bounds,
    lanes::{Kernel, Lanes, WIDTH, dispatch, vector::around},
    layers::SteeringLayers,
    plane::SteeringPlane,
    rows::block,
};

/// Somebody in reach: how far away, and in which slot. In one word, as the bits of numbers that are not below zero are in the order
/// of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spotted(u64);

impl Spotted {
    #[inline(always)]
    pub(super) fn new(distance_squared: f32, slot: usize) -> Self {
        Self(u64::from(distance_squared.to_bits()) << 32 | slot as u64)
    }

    #[inline(always)]
    pub(super) fn distance_squared(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    fn slot(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Who is in reach of one place.
pub(super) struct Search<'a> {
    index: &'a NeighborIndex,
    pub(super) plane: &'a PlaneIndex,
    space: SteeringPlane,
    /// The coordinates that the plane has, two or three; of the centre and the periods too.
    columns: [&'a [f32]; 3],
    center: [f32; 3],
    periods: [f32; 3],
    /// The corners of a box about the centre.
    pub(super) corners: (Vec3, Vec3),
    /// The square of the radius; no number if the question makes no sense.
    pub(super) limit: f32,
    /// The layers that count, unless that is everybody's; and who does not count.
    layers: Option<u32>,
    except: Option<Entity>,
}

impl<'a> Search<'a> {
    #[inline]
    pub(super) fn new(index: &'a NeighborIndex, query: NeighborQuery, radius: f32) -> Self {
        let space = index.usable(query.plane);
        let plane = index.plane_index(query.plane);
        let valid = radius >= 0.0 && query.center.is_finite();
        let matches = |all: u32| SteeringLayers(all).overlaps(query.layers);
        let center = if valid { space.flatten(query.center) } else { Vec3::ZERO };
        let reach = Vec3::splat(if valid { radius } else { 0.0 });
        Self {
            index,
            plane,
            space,
            columns: plane.positions.each_ref().map(Numbers::get),
            center: space.project(center),
            periods: space.project(index.bounds.periods()),
            corners: (center - reach, center + reach),
            limit: if valid { radius * radius } else { f32::NAN },
            layers: (!index.layers.same().is_some_and(matches)).then_some(query.layers.0),
            except: query.except,
        }
    }

    /// The next radius to search, if there is any sense in it.
    pub(super) fn wider(&self, radius: f32, within: f32) -> Option<f32> {
        let is_last = self.limit.is_nan() || radius >= within;
        if is_last {
            return None;
        }
        let (min, max) = self.corners;
        Some(if self.plane.grid.is_everything(min, max) {
            within
        } else {
            (radius * 1.6).min(within)
        })
    }

    /// The way to this slot, by the coordinates of the plane.
    #[inline(always)]
    fn offset(&self, slot: usize) -> [f32; 3] {
        let along =
            |d: usize| bounds::around(self.columns[d][slot] - self.center[d], self.periods[d]);
        [along(0), along(1), if self.space.is_planar() { 0.0 } else { along(2) }]
    }

    /// Who is in this slot, if it is near enough and counts.
    #[inline(always)]
    pub(super) fn examine(&self, slot: usize) -> Option<Spotted> {
        let [x, y, z] = self.offset(slot);
        let distance_squared = x * x + y * y + z * z;
        let counts = distance_squared <= self.limit && self.counts(slot);
        counts.then(|| Spotted::new(distance_squared, slot))
    }

    /// The squares of the distances of eight slots, and for whom that is so, one bit each: who is more than once round is left to a
    /// [closer look](Self::examine).
    #[inline(always)]
    pub(super) fn distances<L: Lanes>(&self, l: L, first: usize) -> (L::F, u8) {
        let dimensions = if self.space.is_planar() { 2 } else { 3 };
        let (mut squared, mut usual) = (l.splat(0.0), l.mask(u8::MAX));
        for d in 0..dimensions {
            let places = l.pack(*block(self.columns[d], first));
            let straight = l.sub(places, l.splat(self.center[d]));
            let (along, is_short) = around(l, straight, self.periods[d]);
            usual = l.both(usual, is_short);
            squared = l.add(squared, l.mul(along, along));
        }
        (squared, l.bits(usual))
    }

    /// Who of up to 64 slots may be near enough, one bit each; for the others it is certain that they are not.
    #[inline(always)]
    fn glance(&self, slots: Range<usize>) -> u64 {
        let count = slots.end - slots.start;
        if count < WORTH_LANES { u64::MAX >> (64 - count) } else { dispatch(Glance(self, slots)) }
    }

    #[inline(always)]
    fn who(&self, slot: usize) -> Who {
        self.index.who(self.plane, slot)
    }

    #[inline(always)]
    pub(super) fn counts(&self, slot: usize) -> bool {
        self.layers
            .is_none_or(|layers| layers & self.index.layers.get(|| self.plane.entry(slot)) != 0)
            && self.except.is_none_or(|except| self.who(slot).entity != except)
    }

    #[inline(always)]
    fn for_each_in(&self, mut run: Range<usize>, mut f: impl FnMut(Spotted)) {
        while let Some((first, mut candidates)) = self.take(&mut run) {
            while candidates != 0 {
                let slot = first + candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                if let Some(spotted) = self.examine(slot) {
                    f(spotted);
                }
            }
        }
    }

    /// Takes up to 64 slots off a run: the first, and who of them may be near enough.
    #[inline(always)]
    fn take(&self, run: &mut Range<usize>) -> Option<(usize, u64)> {
        let first = run.start;
        let end = run.end.min(first + 64);
        run.start = end;
        (first < end).then(|| (first, self.glance(first..end)))
    }

    /// Brings some who are equally far away into the order of their numbers.
    #[cold]
    pub(super) fn order(&self, ring: &mut [Spotted]) {
        ring.sort_unstable_by_key(|one| self.who(one.slot()));
    }

    /// The one of two with the lower number.
    #[cold]
    pub(super) fn first_of(&self, a: Spotted, b: Spotted) -> Spotted {
        if self.who(a.slot()) < self.who(b.slot()) { a } else { b }
    }

    #[inline(always)]
    fn velocity(&self, slot: usize) -> Vec3 {
        let [x, y, z] = self.plane.velocities.each_ref().map(Numbers::get);
        let z = if self.space.is_planar() { 0.0 } else { z[slot] };
        self.space.unproject([x[slot], y[slot], z])
    }

    #[inline(always)]
    pub(super) fn neighbor(&self, spotted: Spotted) -> Neighbor {
        let slot = spotted.slot();
        let who = self.who(slot);
        let radius = self.index.radii.get(|| self.plane.entry(slot));
        Neighbor {
            entity: who.entity,
            number: who.number,
            offset: self.space.unproject(self.offset(slot)),
            distance_squared: spotted.distance_squared(),
            velocity: self.velocity(slot),
            radius: radius.max(0.0),
            is_agent: radius >= 0.0,
            layers: SteeringLayers(self.index.layers.get(|| self.plane.entry(slot))),
        }
    }
}

/// Fewer slots than this are not worth the way to the lanes.
const WORTH_LANES: usize = 6;

/// See [`Search::glance`].
struct Glance<'s, 'a>(&'s Search<'a>, Range<usize>);

impl Kernel for Glance<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> u64 {
        let Self(search, slots) = self;
        let limit = l.splat(search.limit);
        let mut near = 0;
        let mut first = slots.start;
        while first < slots.end {
            let (squared, usual) = search.distances(l, first);
            let may = l.bits(l.le(squared, limit)) | !usual;
            near |= u64::from(may) << (first - slots.start);
            first += WIDTH;
        }
        near & u64::MAX >> (64 - (slots.end - slots.start))
    }
}

/// See [`NeighborIndex::within`].
pub(super) struct Found<'a> {
    search: Search<'a>,
    runs: Runs<'a>,
    run: Range<usize>,
}

impl<'a> Found<'a> {
    #[inline]
    pub(super) fn new(search: Search<'a>) -> Self {
        let (min, max) = search.corners;
        Self { runs: search.plane.grid.runs(min, max), search, run: 0..0 }
    }
}

impl Iterator for Found<'_> {
    type Item = Neighbor;

    #[inline]
    fn next(&mut self) -> Option<Neighbor> {
        loop {
            while self.run.start < self.run.end {
                let slot = self.run.start;
                self.run.start += 1;
                if let Some(spotted) = self.search.examine(slot) {
                    return Some(self.search.neighbor(spotted));
                }
            }
            self.run = self.runs.next()?;
        }
    }

    /// All the rest in one go, which is quicker than one by one: what `for_each`, `map`, `count` and the like come down to.
    #[inline]
    fn fold<B, F: FnMut(B, Neighbor) -> B>(self, init: B, mut f: F) -> B {
        let Self { search, runs, run } = self;
        let mut folded = Some(init);
        let mut add = |run: Range<usize>| {
            search.for_each_in(run, |spotted| {
                folded = folded.take().map(|folded| f(folded, search.neighbor(spotted)));
            });
        };
        add(run);
        runs.for_each(&mut add);
        folded.expect("what was put in")
    }
}
