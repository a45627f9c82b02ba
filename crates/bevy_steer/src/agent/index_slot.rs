//! The entry of an agent in the neighbour index, and the radius of its search.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::{entity_disabling::Disabled, event::EventPattern},
    prelude::*,
};

/// The entry of an agent that has none, past the end of every index.
const NONE: u32 = u32::MAX;

/// The entry of an agent in the index in this tick, and the radius of its search. Atomic, because
/// it is written while other systems read the same tables.
///
/// An agent that is not indexed has no entry, see [`forget_entry`]: if it becomes an agent again
/// during a tick, its former entry belongs to another agent.
#[derive(Component, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct IndexSlot {
    entry: AtomicU32,
    /// The radius of its search, as the bits of a number, and the build of the index for which it
    /// was noted.
    reach: AtomicU32,
    build: AtomicU32,
}

impl Default for IndexSlot {
    fn default() -> Self {
        Self { entry: AtomicU32::new(NONE), reach: AtomicU32::new(0), build: AtomicU32::new(0) }
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

    /// Notes the radius of the agent's search for the next build, in world units.
    pub(crate) fn set_reach(&self, reach: f32, build: u32) {
        self.reach.store(reach.to_bits(), Relaxed);
        self.build.store(build, Relaxed);
    }

    /// The radius of the agent's search; zero if it was not noted for this build.
    pub(crate) fn reach(&self, build: u32) -> f32 {
        let is_noted = self.build.load(Relaxed) == build;
        if is_noted { f32::from_bits(self.reach.load(Relaxed)) } else { 0.0 }
    }
}

/// An observer for events that take an agent out of the index.
pub(crate) fn forget_entry<E: EventPattern<Event: EntityEvent>>(
    event: On<E>,
    entries: Query<&IndexSlot, Allow<Disabled>>,
) {
    if let Ok(entry) = entries.get(event.event_target()) {
        entry.set(NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_for_one_build_does_not_count_in_another() {
        let slot = IndexSlot::default();
        assert_eq!(slot.reach(0), 0.0);
        slot.set_reach(3.0, 7);
        assert_eq!([slot.reach(6), slot.reach(7), slot.reach(8)], [0.0, 3.0, 0.0]);
    }
}
