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
pub(crate) struct IndexSlot(AtomicU32);

impl Default for IndexSlot {
    fn default() -> Self {
        Self(AtomicU32::new(NONE))
    }
}

impl IndexSlot {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Relaxed) as usize
    }

    pub(crate) fn set(&self, entry: u32) {
        if self.0.load(Relaxed) != entry {
            self.0.store(entry, Relaxed);
        }
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
