//! [`Snapshot`]: a frame that can be returned to.

use std::collections::{BTreeMap, HashMap};

use bevy::{
    ecs::{
        component::Mutable, entity::EntityHashMap, lifecycle::HookContext, world::DeferredWorld,
    },
    prelude::*,
};

use super::rolled_back::{Kind, RolledBack};

/// Marks an entity that is saved and restored, by an id that outlives the entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(on_insert = assign_rollback_id)]
pub struct Rollback(u64);

impl Rollback {
    const UNASSIGNED: Self = Self(u64::MAX);
}

impl Default for Rollback {
    fn default() -> Self {
        Self::UNASSIGNED
    }
}

/// Part of every snapshot, so an entity has the same id in each simulation of its first frame.
#[derive(Resource, Default)]
pub(super) struct NextRollbackId(u64);

fn assign_rollback_id(mut world: DeferredWorld, context: HookContext) {
    if world.get(context.entity) == Some(&Rollback::UNASSIGNED) {
        let mut next = world.resource_mut::<NextRollbackId>();
        let id = next.0;
        next.0 += 1;
        *world.get_mut(context.entity).expect("it was just inserted") = Rollback(id);
    }
}

/// All entities that a frame had, by their ids.
pub(super) type Entities = BTreeMap<u64, Entity>;

fn entities(world: &mut World) -> Entities {
    let mut marked = world.query::<(&Rollback, Entity)>();
    marked.iter(world).map(|(rollback, entity)| (rollback.0, entity)).collect()
}

/// A frame that can be returned to.
pub struct Snapshot {
    entities: Entities,
    next_id: u64,
    states: Vec<Box<dyn Saved>>,
}

impl Snapshot {
    pub(super) fn save(world: &mut World) -> Self {
        let registered = world.resource::<RolledBack>();
        let kinds: Vec<Kind> =
            registered.components.iter().chain(&registered.resources).copied().collect();
        Self {
            entities: entities(world),
            next_id: world.resource::<NextRollbackId>().0,
            states: kinds.iter().map(|kind| (kind.save)(world)).collect(),
        }
    }

    pub(super) fn load(&self, world: &mut World) {
        let mut present = entities(world);
        for (_, entity) in present.extract_if(.., |id, _| !self.entities.contains_key(id)) {
            world.despawn(entity);
        }
        let mut respawned = EntityHashMap::default();
        for (&id, &then) in &self.entities {
            let now = *present.entry(id).or_insert_with(|| world.spawn(Rollback(id)).id());
            if now != then {
                respawned.insert(then, now);
            }
        }
        for state in &self.states {
            state.load(world, &present, &mut respawned);
        }
        world.resource_mut::<NextRollbackId>().0 = self.next_id;
    }
}

/// One kind of component or resource, as it was in some frame.
pub(super) trait Saved: Send + Sync {
    /// Restores it. `respawned` has the present ids of entities that had another one then.
    fn load(&self, world: &mut World, entities: &Entities, respawned: &mut EntityHashMap<Entity>);
}

pub(super) struct SavedComponents<C>(HashMap<u64, C>);

impl<C: Component<Mutability = Mutable> + Clone> SavedComponents<C> {
    pub(super) fn save(world: &mut World) -> Box<dyn Saved> {
        let mut all = world.query::<(&Rollback, &C)>();
        Box::new(Self(all.iter(world).map(|(id, component)| (id.0, component.clone())).collect()))
    }
}

impl<C: Component<Mutability = Mutable> + Clone> Saved for SavedComponents<C> {
    fn load(&self, world: &mut World, entities: &Entities, respawned: &mut EntityHashMap<Entity>) {
        for (id, &entity) in entities {
            let mut entity = world.entity_mut(entity);
            let Some(mut saved) = self.0.get(id).cloned() else {
                entity.remove::<C>();
                continue;
            };
            C::map_entities(&mut saved, respawned);
            match entity.get_mut::<C>() {
                Some(mut present) => *present = saved,
                None => _ = entity.insert(saved),
            }
        }
    }
}

pub(super) struct SavedResource<R>(Option<R>);

impl<R: Resource<Mutability = Mutable> + Clone> SavedResource<R> {
    pub(super) fn save(world: &mut World) -> Box<dyn Saved> {
        Box::new(Self(world.get_resource::<R>().cloned()))
    }
}

impl<R: Resource<Mutability = Mutable> + Clone> Saved for SavedResource<R> {
    fn load(&self, world: &mut World, _: &Entities, respawned: &mut EntityHashMap<Entity>) {
        match self.0.clone() {
            Some(mut saved) => {
                R::map_entities(&mut saved, respawned);
                world.insert_resource(saved);
            }
            None => _ = world.remove_resource::<R>(),
        }
    }
}
