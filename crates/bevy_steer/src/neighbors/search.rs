//! The points in reach of one place: the work behind the queries.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    agent::{height::meet, layers::SteeringLayers},
    ecs::columns::block,
    neighbors::{
        Neighbor, NeighborIndex, NeighborQuery, PaddedColumn,
        group::Node,
        index::{EntryKey, PlaneIndex},
        meeting::{Moving, Passing},
        storeys::{RunsOf, Storey, storeys_at},
        tables::THING,
    },
    simd::{
        lanes::{Arithmetic, Lanes, WIDTH, pack, unset_lanes},
        one::One,
    },
    space::{
        bounds::{self, shortest_on_axis},
        plane::SteeringPlane,
    },
};

/// A point in reach: its distance and its slot. In one word, as the bits of non-negative numbers
/// are in the order of the numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit(u64);

impl Hit {
    /// Farther than any point.
    pub(super) const FARTHEST: Self = Self(u64::MAX);

    #[inline(always)]
    pub(super) fn new(distance_squared: f32, slot: usize) -> Self {
        Self(u64::from(distance_squared.to_bits()) << 32 | slot as u64)
    }

    #[inline(always)]
    pub(super) fn distance_squared(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        self.0 as u32 as usize
    }
}

/// The coordinates of a slot, zero for one that the plane does not have.
#[inline(always)]
pub(super) fn point(columns: &[PaddedColumn; 3], slot: usize) -> [f32; 3] {
    columns.each_ref().map(|column| column.get().get(slot).copied().unwrap_or_default())
}

/// Takes up to eight slots off a run that is not empty: the first, and one bit for each.
#[inline(always)]
fn take_slots(run: &mut Range<usize>) -> (usize, u8) {
    let first = run.start;
    run.start = run.end.min(first + WIDTH);
    (first, u8::MAX >> (WIDTH - (run.start - first)))
}

/// A search around one place.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) index: &'a NeighborIndex,
    pub(super) plane: &'a PlaneIndex,
    /// Those that the one that searches meets.
    pub(super) storeys: &'a [Storey],
    pub(super) space: SteeringPlane,
    /// The coordinates that the plane has, two or three; of the centre and the periods too.
    pub(super) columns: [&'a [f32]; 3],
    center: [f32; 3],
    periods: [f32; 3],
    /// The corners of a box about the centre.
    pub(super) corners: (Vec3, Vec3),
    /// The square of the radius; NaN if the query is invalid.
    pub(super) limit: f32,
    /// The layers that count, unless all do; and the entity that does not count.
    layers: Option<u32>,
    except: Option<Entity>,
    /// The span of the agent that searches, and those of all entries, unless all are level.
    spans: Option<([f32; 2], &'a [[f32; 2]])>,
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
            storeys: storeys_at(&plane.storeys, query.span),
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

    /// The same search with another radius.
    #[inline(always)]
    pub(super) fn with_radius(&self, center: Vec3, radius: f32) -> Self {
        let reach = Vec3::splat(radius);
        Self { corners: (center - reach, center + reach), limit: radius * radius, ..*self }
    }

    /// The same search in one storey.
    pub(super) fn on(&self, storey: &'a Storey) -> Self {
        Self { storeys: core::slice::from_ref(storey), ..*self }
    }

    /// The slots that may be in reach, and others.
    #[inline(always)]
    pub(super) fn runs(&self) -> RunsOf<'a> {
        RunsOf::new(self.storeys, self.corners)
    }

    /// The next radius to search, if a wider search can find more.
    pub(super) fn wider(&self, radius: f32, within: f32) -> Option<f32> {
        let is_last = self.limit.is_nan() || radius >= within;
        if is_last {
            return None;
        }
        let (min, max) = self.corners;
        let is_all = self.storeys.iter().all(|storey| storey.grid.is_everything(min, max));
        Some(if is_all { within } else { (radius * 1.6).min(within) })
    }

    /// The way to this slot, by the coordinates of the plane.
    #[inline(always)]
    fn offset(&self, slot: usize) -> [f32; 3] {
        let along =
            |d: usize| bounds::around(self.columns[d][slot] - self.center[d], self.periods[d]);
        [along(0), along(1), if self.space.is_planar() { 0.0 } else { along(2) }]
    }

    /// The way to these coordinates along an axis.
    #[inline(always)]
    pub(super) fn along<L: Arithmetic>(&self, l: L, d: usize, positions: L::F) -> L::F {
        let straight = l.sub(positions, l.splat(self.center[d]));
        shortest_on_axis(l, straight, self.periods[d])
    }

    /// The squares of the distances of eight slots.
    #[inline(always)]
    fn distances<L: Lanes>(&self, l: L, first: usize) -> L::F {
        let dimensions = if self.space.is_planar() { 2 } else { 3 };
        let mut squared = l.splat(0.0);
        for d in 0..dimensions {
            let positions = l.pack(*block(self.columns[d], first));
            let along = self.along(l, d, positions);
            squared = l.add(squared, l.mul(along, along));
        }
        squared
    }

    /// The square of the distance of a slot, by the same bits.
    #[inline(always)]
    pub(super) fn distance_squared(&self, slot: usize) -> f32 {
        let [x, y, z] = self.offset(slot);
        x * x + y * y + z * z
    }

    /// No more than the square of the distance of any point in a box.
    #[inline(always)]
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

    /// Whether something in these layers counts.
    #[inline(always)]
    pub(super) fn wants(&self, layers: u32) -> bool {
        self.layers.is_none_or(|wanted| wanted & layers != 0)
    }

    /// Takes up to eight slots off a run that is not empty: the first, the squares of their
    /// distances, and which are in reach, one bit each.
    #[inline(always)]
    pub(super) fn take<L: Lanes>(&self, l: L, run: &mut Range<usize>) -> (usize, L::F, u8) {
        let (first, here) = take_slots(run);
        let squared = self.distances(l, first);
        (first, squared, here & l.bits(l.le(squared, l.splat(self.limit))))
    }

    /// [`take`](Self::take) of those that may be met.
    #[inline(always)]
    pub(super) fn take_met<L: Lanes>(
        &self,
        l: L,
        run: &mut Range<usize>,
        moving: &Moving,
    ) -> (usize, L::F, u8) {
        let (first, here) = take_slots(run);
        let mut pass = Passing::at_rest(l);
        for (place, d) in self.space.axes().enumerate() {
            let position = l.pack(*block(self.columns[place], first));
            let velocity = l.pack(*block(self.plane.velocities[place].get(), first));
            let along = self.along(l, place, position);
            pass.add(l, along, l.splat(moving.velocity[d]), velocity);
        }
        let radius = match self.index.radii.same() {
            Some(radius) => l.splat(radius),
            None => {
                let last = self.plane.len - 1;
                pack!(l, i => self.index.radii.get(|| self.plane.entry((first + i).min(last))))
            }
        };
        let is_near = l.le(pass.squared, l.splat(self.limit));
        let is_met = {
            let approach = moving.approach.splat(l);
            l.and(is_near, approach.may_meet(l, pass, approach.room(l, radius)))
        };
        (first, pass.squared, here & l.bits(is_met))
    }

    /// Whether the one in a slot may be met.
    pub(super) fn may_meet(&self, slot: usize, moving: &Moving) -> bool {
        let mut pass = Passing::at_rest(One);
        for (place, d) in self.space.axes().enumerate() {
            let along = self.along(One, place, self.columns[place][slot]);
            let velocity = self.plane.velocities[place].get()[slot];
            pass.add(One, along, moving.velocity[d], velocity);
        }
        let radius = self.index.radii.get(|| self.plane.entry(slot));
        moving.approach.may_meet(One, pass, moving.approach.room(One, radius))
    }

    #[inline(always)]
    pub(super) fn key(&self, slot: usize) -> EntryKey {
        self.index.key(self.plane, slot)
    }

    #[inline(always)]
    pub(super) fn counts(&self, slot: usize) -> bool {
        self.layers
            .is_none_or(|wanted| wanted & self.index.layers.get(|| self.plane.entry(slot)) != 0)
            && self.except.is_none_or(|except| self.index.entity(self.plane, slot) != except)
            && self.spans.is_none_or(|(own, all)| meet(own, all[self.plane.entry(slot)]))
    }

    /// Whether all points count.
    #[inline(always)]
    fn takes_all(&self) -> bool {
        self.layers.is_none() && self.except.is_none() && self.spans.is_none()
    }

    /// Which of eight slots count, one bit each.
    #[inline(always)]
    pub(super) fn counting(&self, first: usize, bits: u8) -> u8 {
        if self.takes_all() {
            return bits;
        }
        unset_lanes(!bits).fold(bits, |bits, lane| {
            if self.counts(first + lane) { bits } else { bits & !(1 << lane) }
        })
    }

    /// Moves those that count to the front; returns their number.
    #[inline(always)]
    pub(super) fn retain(&self, some: &mut [Hit]) -> usize {
        if self.takes_all() {
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

    /// Sorts equally distant ones by their ids.
    #[cold]
    pub(super) fn order(&self, ring: &mut [Hit]) {
        ring.sort_unstable_by_key(|one| self.key(one.slot()));
    }

    /// The one of two with the lower id.
    #[cold]
    pub(super) fn first_of(&self, a: Hit, b: Hit) -> Hit {
        if self.key(a.slot()) < self.key(b.slot()) { a } else { b }
    }

    #[inline(always)]
    pub(super) fn neighbor(&self, hit: Hit) -> Neighbor {
        let slot = hit.slot();
        let key = self.key(slot);
        let radius = self.index.radii.get(|| self.plane.entry(slot));
        Neighbor {
            entity: key.entity,
            id: key.id,
            offset: self.space.unproject(self.offset(slot)),
            distance_squared: hit.distance_squared(),
            velocity: self.space.unproject(point(&self.plane.velocities, slot)),
            radius: radius.max(0.0),
            is_agent: radius >= 0.0,
            moves: radius != THING,
            layers: SteeringLayers(self.index.layers.get(|| self.plane.entry(slot))),
        }
    }
}
