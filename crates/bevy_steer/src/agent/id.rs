//! [`AgentId`]: an identity that does not depend on the rows of the ECS; and [`IndexSlot`]: the
//! entry of an agent in the neighbour index, with the radius of its search.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{
    ecs::{
        entity_disabling::Disabled, event::EventPattern, lifecycle::HookContext,
        world::DeferredWorld,
    },
    prelude::*,
};

/// A stable identity for an agent. Random streams, tie-breaks and the order of sums depend on it,
/// never on the bits of an `Entity` or on the order of archetypes, which a rollback may change.
///
/// Assigned in spawn order unless you set it. Networked games set it, so that all peers agree. Ids
/// should be unique; two agents with the same id share their random streams, but nothing breaks.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[component(on_insert = assign_id)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AgentId(pub u64);

impl AgentId {
    /// No id yet. Replaced by the next free id when the component is inserted.
    pub const UNASSIGNED: Self = Self(u64::MAX);

    /// A number that looks random.
    #[inline]
    pub(crate) fn hash(self) -> u32 {
        (self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
}

impl Default for AgentId {
    fn default() -> Self {
        Self::UNASSIGNED
    }
}

/// The counter that assigns ids in spawn order. Part of the state that a rollback must restore.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct NextAgentId(pub u64);

fn assign_id(mut world: DeferredWorld, context: HookContext) {
    let Some(&number) = world.get::<AgentId>(context.entity) else {
        return;
    };
    let Some(mut next) = world.get_resource_mut::<NextAgentId>() else {
        return;
    };
    if number == AgentId::UNASSIGNED {
        // The counter wraps around: two agents with the same id are better than an agent without
        // one.
        let assigned = if next.0 == AgentId::UNASSIGNED.0 { 0 } else { next.0 };
        next.0 = assigned + 1;
        let assigned = AgentId(assigned);
        if let Some(mut number) = world.get_mut::<AgentId>(context.entity) {
            *number = assigned;
        }
    } else {
        next.0 = next.0.max(number.0 + 1);
    }
}

/// Assigns ids to the agents that were spawned before the plugin was added, in the order of their
/// entities.
pub(crate) fn assign_early_ids(world: &mut World) {
    world.init_resource::<NextAgentId>();
    let mut early: Vec<_> = world
        .query::<(Entity, &AgentId)>()
        .iter(world)
        .map(|(entity, &number)| (entity, number))
        .collect();
    early.sort_unstable_by_key(|&(entity, _)| entity);
    for (entity, number) in early {
        world.entity_mut(entity).insert(number);
    }
}

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

    fn number_of(world: &World, entity: Entity) -> u64 {
        world.get::<AgentId>(entity).unwrap().0
    }

    #[test]
    fn numbers_follow_spawn_order_and_skip_given_ones() {
        let mut world = World::new();
        world.init_resource::<NextAgentId>();
        let first = world.spawn(AgentId::default()).id();
        let explicit = world.spawn(AgentId(41)).id();
        let next = world.spawn(AgentId::default()).id();
        assert_eq!(number_of(&world, first), 0);
        assert_eq!(number_of(&world, explicit), 41);
        assert_eq!(number_of(&world, next), 42);
    }

    #[test]
    fn after_the_largest_number_they_begin_again() {
        let mut world = World::new();
        world.init_resource::<NextAgentId>();
        world.spawn(AgentId(u64::MAX - 1));
        for expected in [0, 1] {
            let next = world.spawn(AgentId::default()).id();
            assert_eq!(number_of(&world, next), expected);
        }
    }

    #[test]
    fn agents_from_before_the_plugin_are_numbered() {
        let mut world = World::new();
        let early = world.spawn(AgentId::default()).id();
        assign_early_ids(&mut world);
        assert_eq!(number_of(&world, early), 0);
        let late = world.spawn(AgentId::default()).id();
        assert_eq!(number_of(&world, late), 1);
    }

    #[test]
    fn what_was_noted_for_one_build_does_not_count_in_another() {
        let slot = IndexSlot::default();
        assert_eq!(slot.reach(0), 0.0);
        slot.set_reach(3.0, 7);
        assert_eq!([slot.reach(6), slot.reach(7), slot.reach(8)], [0.0, 3.0, 0.0]);
    }
}
