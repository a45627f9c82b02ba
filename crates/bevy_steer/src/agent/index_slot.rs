//! Where an agent is in the neighbour index.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::{entity_disabling::Disabled, event::EventPattern},
    prelude::*,
};

/// The entry of an agent that has none, past the end of every index.
const NONE: u32 = u32::MAX;

/// Which entry of the index an agent is in this tick. Written while others read the same tables,
/// hence atomic.
///
/// An agent that is not indexed has none, see [`forget_entry`]: when it comes back in the midst of
/// a tick, its former entry is another agent's.
#[derive(Component, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct IndexSlot {
    entry: AtomicU32,
    /// How far it searches in a tick, as the bits of a number, and the lower half of that tick's
    /// number.
    reach: AtomicU32,
    tick: AtomicU32,
}

impl Default for IndexSlot {
    fn default() -> Self {
        Self { entry: AtomicU32::new(NONE), reach: AtomicU32::new(0), tick: AtomicU32::new(0) }
    }
}

impl IndexSlot {
    pub(crate) fn get(&self) -> usize {
        self.entry.load(Relaxed) as usize
    }

    pub(crate) fn set(&self, entry: u32) {
        if self.entry.load(Relaxed) != entry {
            self.entry.store(entry, Relaxed);
        }
    }

    /// Notes how far the agent searches in this tick, in units.
    pub(crate) fn set_reach(&self, reach: f32, tick: u64) {
        self.reach.store(reach.to_bits(), Relaxed);
        self.tick.store(tick as u32, Relaxed);
    }

    /// How far the agent searches in this tick; zero if that was not noted.
    pub(crate) fn reach(&self, tick: u64) -> f32 {
        let is_noted = self.tick.load(Relaxed) == tick as u32;
        if is_noted { f32::from_bits(self.reach.load(Relaxed)) } else { 0.0 }
    }
}

/// For observers of what takes an agent out of the index.
pub(crate) fn forget_entry<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    entries: Query<&IndexSlot, Allow<Disabled>>,
) {
    if let Ok(entry) = entries.get(event.event_target()) {
        entry.set(NONE);
    }
}
