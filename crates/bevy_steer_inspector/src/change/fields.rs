//! Changes of fields of components by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, TypeRegistry},
};
use bevy_steer::{Obstacle, Vehicle};

use super::{history::remember, memento::Memento};
use crate::{
    reflection::values::{assign, copy_of},
    state::inspector::{Inspector, Scope},
};

/// A field that the user has changed.
#[derive(Debug)]
pub(crate) struct FieldChange {
    /// The reflection path of the field.
    pub(crate) path: String,
    /// Its value before the change; `None` if reflection cannot copy it.
    pub(crate) before: Option<Box<dyn Reflect>>,
}

/// All agents with a component.
fn agents_with(world: &mut World, component: TypeId) -> Vec<Entity> {
    let Some(id) = world.components().get_id(component) else { return Vec::new() };
    let mut query = QueryBuilder::<Entity, With<Vehicle>>::new(world).with_id(id).build();
    query.iter(world).collect()
}

/// The agents that a change of the selected agent applies to, whatever components they have.
pub(crate) fn selection(world: &World, agent: Entity) -> Vec<Entity> {
    let inspector = world.resource::<Inspector>();
    if inspector.is_selected(agent) { inspector.selection().collect() } else { vec![agent] }
}

/// The agents that get a behaviour or a preset which the selected agent gets. Those that are
/// obstacles would begin to move, so they get it only where they are selected.
pub(crate) fn agents_to_extend(world: &mut World, agent: Entity) -> Vec<Entity> {
    let mut agents = selection(world, agent);
    if world.resource::<Inspector>().scope == Scope::All {
        let mut all = world.query_filtered::<Entity, (With<Vehicle>, Without<Obstacle>)>();
        let others = all.iter(world).filter(|other| !agents.contains(other)).collect::<Vec<_>>();
        agents.extend(others);
    }
    agents
}

/// The agents that a change of a component of the selected agent applies to: those that have it.
pub(crate) fn agents_in_scope(world: &mut World, agent: Entity, component: TypeId) -> Vec<Entity> {
    match world.resource::<Inspector>().scope {
        Scope::One => {
            let has = |agent: &Entity| {
                world.get_entity(*agent).is_ok_and(|entity| entity.contains_type_id(component))
            };
            selection(world, agent).into_iter().filter(has).collect()
        }
        Scope::All => agents_with(world, component),
    }
}

/// Edits a component of an agent, if the agent has it and reflection can change it.
pub(crate) fn edit(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    edit: impl FnOnce(&mut dyn Reflect),
) {
    let Some(reflect) = registry.get_type_data::<ReflectComponent>(component) else { return };
    let Ok(entity) = world.get_entity_mut(agent) else { return };
    if let Some(mut value) = reflect.reflect_mut(entity) {
        edit(&mut *value);
    }
}

/// Copies a field that was changed from `agent` to all other agents in scope. The change gets a
/// `name` in the history.
pub(crate) fn copy_to_scope(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    change: FieldChange,
    name: &str,
) {
    let FieldChange { path, before } = change;
    let others = agents_in_scope(world, agent, component);
    let others: Vec<Entity> = others.into_iter().filter(|&other| other != agent).collect();
    remember(world, name, |world| {
        let field = |value| Memento::field(agent, component, path.clone(), value);
        let of_others = others
            .iter()
            .filter_map(|&other| Memento::of_field(world, registry, other, component, &path));
        before.map(field).into_iter().chain(of_others).collect()
    });
    let Some(reflect) = registry.get_type_data::<ReflectComponent>(component) else { return };
    let value = world.get_entity(agent).ok().and_then(|entity| {
        copy_of(registry, reflect.reflect(entity)?.reflect_path(path.as_str()).ok()?)
    });
    for other in others {
        edit(world, registry, other, component, |component| {
            // Another variant of an enum has no such field: the agent is not changed.
            let Ok(field) = component.reflect_path_mut(path.as_str()) else { return };
            let copy =
                value.as_ref().and_then(|value| copy_of(registry, value.as_partial_reflect()));
            if let Some(copy) = copy {
                assign(field, copy);
            }
        });
    }
}
