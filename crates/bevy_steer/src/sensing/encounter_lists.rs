//! [`EncounterLists`]: the other agents that each agent may collide with, for all agents.

use core::ops::Range;

use bevy::prelude::*;

use crate::{sensing::agent_record::AgentRecord, space::plane::SteeringPlane};

/// The encounters of all agents in this tick, in the planes in which they move.
#[derive(Resource, Debug, Default)]
pub(crate) struct EncounterLists(pub(super) [ListsInPlane; SteeringPlane::ALL.len()]);

impl EncounterLists {
    /// The slots that the agent in a slot of a plane has found.
    pub(super) fn of(&self, plane: SteeringPlane, slot: usize) -> &[u32] {
        let all = &self.0[plane as usize].pieces;
        let piece = all.partition_point(|piece| piece.own.end <= slot);
        all.get(piece).filter(|piece| piece.own.contains(&slot)).map_or(&[], |piece| piece.of(slot))
    }
}

/// What others know of each agent, and what the agents have found.
#[derive(Debug, Default)]
pub(super) struct ListsInPlane {
    /// Whether any body avoids nobody.
    pub have_passive: bool,
    pub records: Vec<AgentRecord>,
    pub pieces: Vec<ListsOfPiece>,
}

/// What the agents in some slots have found.
#[derive(Debug, Default)]
pub(super) struct ListsOfPiece {
    own: Range<usize>,
    /// Where the list of each ends.
    ends: Vec<u32>,
    pub slots: Vec<u32>,
}

impl ListsOfPiece {
    /// Begins anew, for the agents in these slots.
    pub(super) fn begin(&mut self, own: Range<usize>) {
        self.own = own;
        self.ends.clear();
        self.slots.clear();
    }

    /// What was added from `begin` on belongs to the agent in this slot; those before it have found
    /// nothing.
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
