//! [`Met`]: others that an agent may meet, eight at a time.

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    neighbors::{
        Neighbor,
        search::{Hit, Search},
        tables::THING,
    },
    simd::{
        lanes::{Lanes, WIDTH, every, pack},
        vector::{Vector, length},
    },
};

/// Eight others, as an agent sees them.
pub(crate) struct Met<'s, 'a, L: Lanes> {
    search: &'s Search<'a>,
    slots: [usize; WIDTH],
    pub(crate) entries: [usize; WIDTH],
    /// The lanes that count, one bit each.
    pub(crate) bits: u8,
    /// The way to it, and the length of that.
    pub(crate) offset: Vector<L>,
    pub(crate) distance: L::F,
    pub(crate) velocity: Vector<L>,
    /// Below zero for what has none of its own.
    pub(crate) radius: L::F,
}

/// What is done with all that an agent may meet.
pub(crate) trait Meet {
    fn meet<L: Lanes>(&mut self, l: L, met: &Met<L>);
}

/// One of those met.
pub(crate) struct Other<'s, 'a> {
    search: &'s Search<'a>,
    slot: usize,
}

impl Other<'_, '_> {
    #[inline(always)]
    pub(crate) fn entity(&self) -> Entity {
        self.search.key(self.slot).entity
    }

    #[inline(always)]
    pub(crate) fn id(&self) -> AgentId {
        self.search.key(self.slot).id
    }

    pub(crate) fn neighbor(&self) -> Neighbor {
        let squared = self.search.distance_squared(self.slot);
        self.search.neighbor(Hit::new(squared, self.slot))
    }
}

impl<'s, 'a, L: Lanes> Met<'s, 'a, L> {
    #[inline(always)]
    pub(crate) fn other(&self, lane: usize) -> Other<'s, 'a> {
        Other { search: self.search, slot: self.slots[lane] }
    }
}

impl<'a> Search<'a> {
    /// Up to eight of those that were found, and at least one.
    #[inline(always)]
    pub(super) fn met<L: Lanes>(&self, l: L, hits: &[Hit]) -> Met<'_, 'a, L> {
        let last = hits.len() - 1;
        let slots = every!(i => hits[i.min(last)].slot());
        let entries = every!(i => self.plane.entry(slots[i]));
        let radii = every!(i => self.index.radii.get(|| entries[i]));
        let mut bits = u8::MAX >> (WIDTH - hits.len());
        for (i, &radius) in radii.iter().enumerate() {
            bits &= !(u8::from(radius == THING) << i);
        }
        let (mut offset, mut velocity) = ([l.splat(0.0); 3], [l.splat(0.0); 3]);
        for (place, d) in self.space.axes().enumerate() {
            let positions = pack!(l, i => self.columns[place][slots[i]]);
            offset[d] = self.along(l, place, positions);
            let velocities = self.plane.velocities[place].get();
            velocity[d] = pack!(l, i => velocities[slots[i]]);
        }
        let (distance, radius) = (length(l, offset), l.pack(radii));
        Met { search: self, slots, entries, bits, offset, distance, velocity, radius }
    }
}
