//! [`Meetings`]: what each agent may meet in this tick.

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    neighbors::{
        NeighborIndex, NeighborQuery,
        met::{Appearance, Meet, MeetEach},
    },
    simd::dispatch::dispatch,
    space::plane::SteeringPlane,
};

/// Those that agents may meet in this tick, in the planes in which they look for them.
#[derive(Resource, Debug, Default)]
pub(crate) struct Meetings(pub(super) [InPlane; SteeringPlane::ALL.len()]);

/// How all look, and the slots of those that agents may meet.
#[derive(Debug, Default)]
pub(super) struct InPlane {
    pub(super) all: Vec<Appearance>,
    pub(super) found: Vec<Found>,
}

/// What the agents in some slots have found.
#[derive(Debug, Default)]
pub(super) struct Found {
    own: Range<usize>,
    /// Where the findings of each end.
    ends: Vec<u32>,
    pub(super) slots: Vec<u32>,
}

impl Found {
    /// Begins anew, for the agents in these slots.
    pub(super) fn begin(&mut self, own: Range<usize>) {
        self.own = own;
        self.ends.clear();
        self.slots.clear();
    }

    /// What was added belongs to the agent in this slot; those before it have found nothing.
    pub(super) fn end(&mut self, slot: usize, begin: usize) {
        self.ends.resize(slot - self.own.start, begin as u32);
        self.ends.push(self.slots.len() as u32);
    }

    fn of(&self, slot: usize) -> &[u32] {
        let place = slot - self.own.start;
        let end = |place: usize| self.ends.get(place).map(|&end| end as usize);
        let begin = if place == 0 { Some(0) } else { end(place - 1) };
        begin.zip(end(place)).map_or(&[], |(begin, end)| &self.slots[begin..end])
    }
}

impl Meetings {
    /// Those that the agent in a slot of a plane may meet.
    pub(crate) fn of(&self, plane: SteeringPlane, slot: usize) -> &[u32] {
        let all = &self.0[plane as usize].found;
        let place = all.partition_point(|found| found.own.end <= slot);
        all.get(place).filter(|found| found.own.contains(&slot)).map_or(&[], |found| found.of(slot))
    }

    /// Calls `meet` with those in these slots.
    #[inline(always)]
    pub(crate) fn meet(
        &self,
        index: &NeighborIndex,
        query: NeighborQuery,
        slots: &[u32],
        meet: &mut impl Meet,
    ) {
        let plane = index.usable(query.plane);
        let place = [query.center, index.bounds.periods()].map(|vector| plane.flatten(vector));
        let all = &self.0[plane as usize].all;
        dispatch(MeetEach { index, query: &query, place, all, slots, meet });
    }
}
