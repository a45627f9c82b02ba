//! Behaviours added to agents and removed from them by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, TypeRegistry, list::List, std_traits::ReflectDefault},
};
use bevy_steer::{AngularVelocity, BehaviorRegistry, RegisteredBehavior};

use super::{
    fields::{agents_to_extend, edit},
    history::remember,
    memento::Memento,
    required::required_by,
};

/// Whether reflection can create a behaviour.
pub(crate) fn can_be_added(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> bool {
    registry.get_type_data::<ReflectComponent>(behavior.type_id).is_some()
        && registry.get_type_data::<ReflectDefault>(behavior.type_id).is_some()
}

/// Adds a behaviour with its default parameters to the agents in scope. If `agent` has it already,
/// those that have it get another one, as one of [`Several`](bevy_steer::Several); otherwise they
/// keep what they have. Returns the component and the place of the one that `agent` got.
pub(crate) fn add(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) -> Option<(TypeId, Option<usize>)> {
    let default = registry.get_type_data::<ReflectDefault>(behavior.type_id)?;
    let has =
        |world: &World, agent| world.get_entity(agent).is_ok_and(|entity| behavior.has(entity));
    let component = |world: &World, agent| {
        if has(world, agent) { behavior.several_type_id } else { behavior.type_id }
    };
    let mut agents = agents_to_extend(world, agent);
    if !has(world, agent) {
        agents.retain(|&other| !has(world, other));
    }
    let added = component(world, agent);
    remember(world, &format!("add {}", behavior.name), |world| {
        let part = |&agent: &Entity| {
            Memento::of_component(world, registry, agent, component(world, agent))
        };
        agents.as_slice().iter().filter_map(part).collect()
    });
    for agent in agents {
        let component = component(world, agent);
        let Ok(mut entity) = world.get_entity_mut(agent) else { continue };
        if component == behavior.type_id {
            insert(&mut entity, registry, component, &*default.default());
            continue;
        }
        if !entity.contains_type_id(component) {
            let Some(none) = registry.get_type_data::<ReflectDefault>(component) else { continue };
            insert(&mut entity, registry, component, &*none.default());
        }
        edit(world, registry, agent, component, |several| push(several, default.default()));
    }
    let entity = world.get_entity(agent).ok()?;
    let count = (0..).take_while(|&place| behavior.blend_at(entity, Some(place)).is_some()).count();
    let place = (added == behavior.several_type_id).then(|| count.saturating_sub(1));
    Some((added, place))
}

fn insert(
    entity: &mut EntityWorldMut,
    registry: &TypeRegistry,
    component: TypeId,
    value: &dyn Reflect,
) {
    if let Some(component) = registry.get_type_data::<ReflectComponent>(component) {
        component.insert(entity, value.as_partial_reflect(), registry);
    }
}

/// Adds a behaviour to [`Several`](bevy_steer::Several).
pub(crate) fn push(several: &mut dyn Reflect, one: Box<dyn Reflect>) {
    if let Some(list) = list_mut(several) {
        list.push(one.into_partial_reflect());
    }
}

fn list_mut(several: &mut dyn Reflect) -> Option<&mut dyn List> {
    several.reflect_path_mut("0").ok()?.reflect_mut().as_list().ok()
}

/// Removes a behaviour, or one of several, from agents. The change gets a `name` in the history.
pub(crate) fn remove_from(
    world: &mut World,
    registry: &TypeRegistry,
    agents: &[Entity],
    component: TypeId,
    place: Option<usize>,
    name: &str,
) {
    remember(world, name, |world| {
        let part = |&agent: &Entity| Memento::of_component(world, registry, agent, component);
        agents.iter().filter_map(part).collect()
    });
    for &agent in agents {
        remove(world, registry, agent, component, place);
    }
}

/// Removes a behaviour, or one of several, from an agent. After its last turning behaviour the
/// agent turns along its velocity again.
pub(crate) fn remove(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    place: Option<usize>,
) {
    let is_turning = requires_turning(world, component);
    let mut is_empty = true;
    if let Some(place) = place {
        edit(world, registry, agent, component, |several| {
            let Some(list) = list_mut(several) else { return };
            if place < list.len() {
                list.remove(place);
            }
            is_empty = list.is_empty();
        });
    }
    if !is_empty {
        return;
    }
    let Some(component) = registry.get_type_data::<ReflectComponent>(component) else { return };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    component.remove(&mut entity);
    if is_turning && !has_turning_behavior(world, agent) {
        world.entity_mut(agent).remove::<AngularVelocity>();
    }
}

fn requires_turning(world: &World, component: TypeId) -> bool {
    required_by(world, component).any(|required| required == TypeId::of::<AngularVelocity>())
}

/// Whether an agent has a behaviour that turns it.
pub(crate) fn has_turning_behavior(world: &World, agent: Entity) -> bool {
    let Ok(entity) = world.get_entity(agent) else { return false };
    let Some(known) = world.get_resource::<BehaviorRegistry>() else { return false };
    known
        .iter()
        .flat_map(|behavior| [behavior.type_id, behavior.several_type_id])
        .any(|component| entity.contains_type_id(component) && requires_turning(world, component))
}
