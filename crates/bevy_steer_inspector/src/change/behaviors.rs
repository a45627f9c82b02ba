//! Behaviours added to agents and removed from them by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, TypeRegistry, list::List, std_traits::ReflectDefault},
};
use bevy_steer::{AngularVelocity, BehaviorRegistry, RegisteredBehavior};

use super::fields::edit;

/// Whether reflection can create a behaviour.
pub(crate) fn can_be_added(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> bool {
    registry.get_type_data::<ReflectComponent>(behavior.type_id).is_some()
        && registry.get_type_data::<ReflectDefault>(behavior.type_id).is_some()
}

/// Adds a behaviour with its default parameters to an agent; as one of
/// [`Several`](bevy_steer::Several) if the agent has it.
pub(crate) fn add(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) {
    let Some(default) = registry.get_type_data::<ReflectDefault>(behavior.type_id) else { return };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    if !behavior.has(&entity) {
        insert(&mut entity, registry, behavior.type_id, &*default.default());
        return;
    }
    let several = behavior.several_type_id;
    if !entity.contains_type_id(several) {
        let Some(none) = registry.get_type_data::<ReflectDefault>(several) else { return };
        insert(&mut entity, registry, several, &*none.default());
    }
    edit(world, registry, agent, several, |several| push(several, default.default()));
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
    let components = world.components();
    let Some(turning) = components.component_id::<AngularVelocity>() else { return false };
    let info = components.get_id(component).and_then(|id| components.get_info(id));
    info.is_some_and(|info| info.required_components().iter_ids().any(|id| id == turning))
}

fn has_turning_behavior(world: &World, agent: Entity) -> bool {
    let Ok(entity) = world.get_entity(agent) else { return false };
    let Some(known) = world.get_resource::<BehaviorRegistry>() else { return false };
    known
        .iter()
        .flat_map(|behavior| [behavior.type_id, behavior.several_type_id])
        .any(|component| entity.contains_type_id(component) && requires_turning(world, component))
}
