//! [`Met`]: others that an agent may meet, eight at a time.

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    ecs::parallel::{pieces_for, run_all},
    neighbors::{
        Neighbor, NeighborIndex, NeighborQuery, PlaneIndex,
        lookouts::Lookouts,
        search::{Hit, Search, point},
    },
    simd::{
        lanes::{Kernel, Lanes, WIDTH, every},
        vector::{Vector, each, length},
    },
    space::{bounds::shortest_on_axis, plane::SteeringPlane},
};

/// What others know of an agent: its position and radius, its velocity, and what behaviours tell of
/// it. In one place, as those that an agent meets are here and there.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Appearance {
    place: [f32; 4],
    motion: [f32; 4],
    told: [f32; 4],
}

impl Appearance {
    /// Those of all in a plane, by their slots.
    pub(super) fn collect(
        index: &NeighborIndex,
        space: SteeringPlane,
        lookouts: &Lookouts,
        into: &mut Vec<Self>,
    ) {
        let plane = &index.planes[space as usize];
        into.resize(plane.len, Self::default());
        let size = plane.len.div_ceil(pieces_for(plane.len)).max(1);
        let jobs = into.chunks_mut(size).enumerate().map(|(piece, some)| {
            move || {
                for (slot, one) in (piece * size..).zip(some) {
                    *one = Self::of(index, space, lookouts, slot);
                }
            }
        });
        run_all(jobs.collect());
    }

    fn of(index: &NeighborIndex, space: SteeringPlane, lookouts: &Lookouts, slot: usize) -> Self {
        let plane = &index.planes[space as usize];
        let entry = plane.entry(slot);
        let [x, y, z] = space.unproject(point(&plane.positions, slot)).to_array();
        let [vx, vy, vz] = space.unproject(point(&plane.velocities, slot)).to_array();
        let [first, second, third] = lookouts.told(entry).unwrap_or([f32::NAN; 3]);
        Self {
            place: [x, y, z, index.radii.get(|| entry)],
            motion: [vx, vy, vz, first],
            told: [second, third, 0.0, 0.0],
        }
    }
}

/// Eight others, as an agent sees them.
pub(crate) struct Met<'s, L: Lanes> {
    index: &'s NeighborIndex,
    query: &'s NeighborQuery,
    slots: [usize; WIDTH],
    /// The lanes in use, one bit each.
    pub(crate) bits: u8,
    /// The way to it, and the length of that.
    pub(crate) offset: Vector<L>,
    pub(crate) distance: L::F,
    pub(crate) velocity: Vector<L>,
    /// Below zero for what has none of its own.
    pub(crate) radius: L::F,
    /// What its behaviours tell; NaN if they tell nothing.
    pub(crate) told: [L::F; 3],
}

/// What is done with all that an agent may meet.
pub(crate) trait Meet {
    fn meet<L: Lanes>(&mut self, l: L, met: &Met<L>);
}

/// One of those met.
pub(crate) struct Other<'s> {
    index: &'s NeighborIndex,
    query: &'s NeighborQuery,
    slot: usize,
}

impl Other<'_> {
    #[inline(always)]
    pub(crate) fn entity(&self) -> Entity {
        self.index.entity(self.plane(), self.slot)
    }

    #[inline(always)]
    pub(crate) fn id(&self) -> AgentId {
        self.index.id(self.plane(), self.slot)
    }

    pub(crate) fn neighbor(&self) -> Neighbor {
        let search = Search::new(self.index, *self.query, 0.0);
        search.neighbor(Hit::new(search.distance_squared(self.slot), self.slot))
    }

    fn plane(&self) -> &PlaneIndex {
        self.index.plane_index(self.query.plane)
    }
}

impl<'s, L: Lanes> Met<'s, L> {
    #[inline(always)]
    pub(crate) fn other(&self, lane: usize) -> Other<'s> {
        Other { index: self.index, query: self.query, slot: self.slots[lane] }
    }
}

/// Meets those in these slots.
pub(super) struct MeetEach<'s, M> {
    pub(super) index: &'s NeighborIndex,
    pub(super) query: &'s NeighborQuery,
    /// Where the agent is, and after which lengths the world repeats.
    pub(super) place: [Vec3; 2],
    pub(super) all: &'s [Appearance],
    pub(super) slots: &'s [u32],
    pub(super) meet: &'s mut M,
}

impl<M: Meet> Kernel for MeetEach<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { index, query, place, all, slots, meet } = self;
        for some in slots.chunks(WIDTH) {
            meet.meet(l, &met(l, (index, query), place, all, some));
        }
    }
}

/// Up to eight of those that were found, and at least one.
#[inline(always)]
fn met<'s, L: Lanes>(
    l: L,
    (index, query): (&'s NeighborIndex, &'s NeighborQuery),
    [center, periods]: [Vec3; 2],
    all: &[Appearance],
    found: &[u32],
) -> Met<'s, L> {
    let last = found.len() - 1;
    let slots = every!(i => found[i.min(last)] as usize);
    let all = every!(i => &all[slots[i]]);
    let [x, y, z, radius] = l.columns(every!(i => all[i].place));
    let [vx, vy, vz, first] = l.columns(every!(i => all[i].motion));
    let [second, third, ..] = l.columns(every!(i => all[i].told));
    let place = [x, y, z];
    let offset = each!(d => {
        shortest_on_axis(l, l.sub(place[d], l.splat(center[d])), periods[d])
    });
    Met {
        index,
        query,
        slots,
        bits: u8::MAX >> (WIDTH - found.len()),
        offset,
        distance: length(l, offset),
        velocity: [vx, vy, vz],
        radius,
        told: [first, second, third],
    }
}
