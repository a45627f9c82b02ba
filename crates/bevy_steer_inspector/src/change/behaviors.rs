//! Behaviours added to agents and removed from them by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{TypeRegistry, std_traits::ReflectDefault},
};
use bevy_steer::{AngularVelocity, BehaviorRegistry, RegisteredBehavior};

/// Whether reflection can create a behaviour.
pub(crate) fn can_be_added(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> bool {
    registry.get_type_data::<ReflectComponent>(behavior.type_id).is_some()
        && registry.get_type_data::<ReflectDefault>(behavior.type_id).is_some()
}

/// Adds a behaviour with its default parameters to an agent.
pub(crate) fn add(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) {
    let Some(component) = registry.get_type_data::<ReflectComponent>(behavior.type_id) else {
        return;
    };
    let Some(default) = registry.get_type_data::<ReflectDefault>(behavior.type_id) else { return };
    if let Ok(mut entity) = world.get_entity_mut(agent) {
        component.insert(&mut entity, default.default().as_partial_reflect(), registry);
    }
}

/// Removes a behaviour from an agent. After its last turning behaviour the agent turns along its
/// velocity again.
pub(crate) fn remove(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) {
    let is_turning = requires_turning(world, behavior.type_id);
    let Some(component) = registry.get_type_data::<ReflectComponent>(behavior.type_id) else {
        return;
    };
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
    known.iter().any(|behavior| behavior.has(entity) && requires_turning(world, behavior.type_id))
}
