//! All agents that avoid others look for those that they may meet, eight at a time.
//!
//! As for flocks, consecutive agents of a row of cells have nearly the same ones around them: each
//! of these is compared with all eight at once.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    agent::layers::SteeringLayers,
    ecs::parallel::run_all,
    grid::cell_grid::CellGrid,
    neighbors::{
        Candidates, NeighborIndex, NeighborQuery, PlaneIndex,
        approach::settle,
        candidates::widest_group,
        compare::Compare,
        heap::HEAP,
        hits::{FEW, Filter, Group, Hits, add_sorted},
        lookouts::{Lookout, Lookouts},
        meeting::{Approach, Moving},
        meetings::{Found, InPlane, Meetings},
        met::Appearance,
        nearest::sort,
        search::{Hit, Search, point},
        tables::THING,
        usual::Usual,
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, pack},
    },
    space::plane::SteeringPlane,
};

/// Finds those that agents may meet, as [`NeighborIndex::find_met`] does for one of them. The
/// agents are given by their entries.
pub(crate) fn look_out(index: &NeighborIndex, all: &Lookouts, meetings: &mut Meetings) {
    for plane in SteeringPlane::ALL {
        let InPlane { all: appearances, found } = &mut meetings.0[plane as usize];
        found.iter_mut().for_each(|found| found.begin(0..0));
        if !index.planes[plane as usize].built {
            continue;
        }
        Appearance::collect(index, plane, all, appearances);
        match plane {
            SteeringPlane::Xy => look_out_in(index, plane, [0, 1], all, found),
            SteeringPlane::Xz => look_out_in(index, plane, [0, 2], all, found),
            SteeringPlane::Free => look_out_in(index, plane, [0, 1, 2], all, found),
        }
    }
}

fn look_out_in<const D: usize>(
    index: &NeighborIndex,
    space: SteeringPlane,
    axes: [usize; D],
    all: &Lookouts,
    found: &mut Vec<Found>,
) {
    let plane = &index.planes[space as usize];
    let have_bodies = index.radii.same().is_some_and(|radius| radius != THING);
    let shares = plane.shares();
    found.resize_with(shares.len(), Found::default);
    let kernels = shares.into_iter().zip(found).map(|((storey, rows), found)| {
        let (usual, grid) = (index.usual(plane, storey), &storey.grid);
        let are_alike = have_bodies && plane.spans.each().is_none() && usual.others.is_empty();
        let shared = index.layers.same().filter(|_| are_alike).map(SteeringLayers);
        let buckets = grid.axes[0].buckets as usize;
        let [first, end] = [rows.start, rows.end].map(|row| grid.starts[row * buckets]);
        found.begin(first as usize..end as usize);
        LookOut { index, plane, grid, space, axes, usual, shared, all, rows, found }
    });
    run_all(kernels.map(|kernel| move || dispatch(kernel)).collect());
}

/// The agents of some rows of cells.
struct LookOut<'a, const D: usize> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    /// Of one storey.
    grid: &'a CellGrid,
    space: SteeringPlane,
    axes: [usize; D],
    usual: &'a Usual,
    /// See [`Filter`].
    shared: Option<SteeringLayers>,
    all: &'a Lookouts,
    rows: Range<usize>,
    found: &'a mut Found,
}

impl<const D: usize> Kernel for LookOut<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let grid = self.grid;
        let mut candidates = Candidates::new(grid, self.axes);
        let mut hits = Hits::new();
        for row in self.rows.clone() {
            let mut slots = grid.run(row, 0, grid.axes[0].buckets);
            while let Some(group) = self.next_group(&mut slots) {
                self.look(l, &group, &mut candidates, &mut hits);
            }
        }
    }
}

impl<'a, const D: usize> LookOut<'a, D> {
    /// The next agents of a row, near enough to each other to look together.
    #[inline(always)]
    fn next_group(&self, slots: &mut Range<usize>) -> Option<Group> {
        let widest = widest_group(self.grid, self.axes);
        let along = self.plane.positions[0].get();
        let mut group: Option<Group> = None;
        while slots.start < slots.end {
            let slot = slots.start;
            if let Some(lookout) = self.all.in_plane(self.plane.entry(slot), self.space) {
                let (slots, lookouts) = ([slot; WIDTH], [lookout; WIDTH]);
                let group = group.get_or_insert(Group { slots, lookouts, len: 0 });
                let is_far = (along[slot] - along[group.slots[0]]).abs() > widest;
                if is_far || group.len == WIDTH {
                    break;
                }
                group.slots[group.len..].fill(slot);
                group.lookouts[group.len] = lookout;
                group.len += 1;
            }
            slots.start += 1;
        }
        group
    }

    #[inline(always)]
    fn look<L: Lanes>(
        &mut self,
        l: L,
        group: &Group,
        candidates: &mut Candidates<D>,
        hits: &mut Hits,
    ) {
        let Group { slots, lookouts, len } = group;
        let (mut position, mut velocity) = ([l.splat(0.0); D], [l.splat(0.0); D]);
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for d in 0..D {
            let (places, velocities) =
                (self.plane.positions[d].get(), self.plane.velocities[d].get());
            let own = slots.map(|slot| places[slot]);
            low[d] = own.into_iter().fold(f32::INFINITY, f32::min);
            high[d] = own.into_iter().fold(f32::NEG_INFINITY, f32::max);
            position[d] = l.pack(own);
            velocity[d] = pack!(l, i => velocities[slots[i]]);
        }
        let Usual { fastest, largest, .. } = *self.usual;
        let approaches = lookouts[..*len].iter().map(|own| &own.approach);
        let touch = approaches.clone().map(|own| own.touch(largest)).fold(0.0, f32::max);
        let reach = approaches.map(|own| own.reach(fastest, largest)).fold(0.0, f32::max);
        candidates.find(low, high, touch);
        if candidates.count > HEAP {
            return self.look_one_by_one(group);
        }
        candidates.find(low, high, reach);
        if candidates.periods.is_some() {
            return self.look_one_by_one(group);
        }
        let approach = Approach {
            room: pack!(l, i => lookouts[i].approach.room),
            body: pack!(l, i => lookouts[i].approach.body),
            spare: pack!(l, i => lookouts[i].approach.spare),
            horizon: pack!(l, i => lookouts[i].approach.horizon),
            way: pack!(l, i => lookouts[i].approach.way),
        };
        hits.counts = [0; WIDTH];
        let used = u8::MAX >> (WIDTH - len);
        let filter = self.filter(group);
        let compare =
            Compare { filter: &filter, position, velocity, approach, used, candidates, hits };
        l.outlined(compare);
        hits.share_out(&filter);
        for lane in 0..*len {
            let count = hits.counts[lane];
            self.finish(l, group, lane, &mut hits.all[lane][..count]);
        }
    }

    /// Of those that an agent has found, keeps the nearest that count.
    #[inline(always)]
    fn finish<L: Lanes>(&mut self, l: L, group: &Group, lane: usize, hits: &mut [Hit]) {
        let (own, lookout) = (group.slots[lane], &group.lookouts[lane]);
        let (begin, index, usual) = (self.found.slots.len(), self.index, self.usual);
        let count = self.filter(group).retain(lane, hits);
        let hits = &hits[..count];
        let mut rare = Vec::new();
        if !usual.others.is_empty() {
            let search = Search::new(index, self.query(own, lookout), 0.0);
            index.add_rare(&search, usual, &self.moving(own, lookout), &mut rare);
        }
        let slots = &mut self.found.slots;
        if count > FEW || !rare.is_empty() || !add_sorted(l, hits, slots) {
            slots.truncate(begin);
            let search = Search::new(index, self.query(own, lookout), 0.0);
            let mut hits = hits.to_vec();
            settle(&search, &mut hits);
            hits.append(&mut rare);
            sort(&search, &mut hits);
            self.found.slots.extend(hits.iter().map(|hit| hit.slot() as u32));
        }
        self.found.end(own, begin);
    }

    /// In a heap, or a world hardly wider than they look.
    #[cold]
    #[inline(never)]
    fn look_one_by_one(&mut self, group: &Group) {
        for lane in 0..group.len {
            let (own, lookout) = (group.slots[lane], &group.lookouts[lane]);
            let begin = self.found.slots.len();
            let (moving, query) = (self.moving(own, lookout), self.query(own, lookout));
            let id = self.index.id(self.plane, own);
            self.index.find_met(query, id, moving, &mut self.found.slots);
            self.found.end(own, begin);
        }
    }

    fn filter<'b>(&self, group: &'b Group) -> Filter<'b>
    where
        'a: 'b,
    {
        let Self { index, plane, usual, shared, .. } = *self;
        Filter { index, plane, usual, shared, group }
    }

    fn moving(&self, slot: usize, lookout: &Lookout) -> Moving {
        let velocity = self.space.unproject(point(&self.plane.velocities, slot));
        Moving { velocity, approach: lookout.approach }
    }

    fn query(&self, slot: usize, lookout: &Lookout) -> NeighborQuery {
        let span = self.plane.spans.each().map(|spans| spans[self.plane.entry(slot)]);
        NeighborQuery {
            center: self.space.unproject(point(&self.plane.positions, slot)),
            layers: lookout.layers,
            plane: Some(self.space),
            except: Some(self.index.entity(self.plane, slot)),
            span,
        }
    }
}
