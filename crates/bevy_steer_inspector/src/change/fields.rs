//! Changes of fields of components by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, PartialReflect, TypeRegistry},
};
use bevy_steer::Vehicle;

use crate::state::inspector::{Inspector, Scope};

/// All agents with a component.
fn agents_with(world: &mut World, component: TypeId) -> Vec<Entity> {
    let Some(id) = world.components().get_id(component) else { return Vec::new() };
    let mut query = QueryBuilder::<Entity, With<Vehicle>>::new(world).with_id(id).build();
    query.iter(world).collect()
}

/// The agents that a change of a component of the selected agent applies to.
pub(crate) fn agents_in_scope(world: &mut World, agent: Entity, component: TypeId) -> Vec<Entity> {
    match world.resource::<Inspector>().scope {
        Scope::One => vec![agent],
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

/// Copies the fields at these reflection paths from `agent` to all other agents in scope.
pub(crate) fn copy_to_scope(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    paths: &[String],
) {
    let others = agents_in_scope(world, agent, component);
    let values: Vec<(&String, Box<dyn PartialReflect>)> = {
        let Some(reflect) = registry.get_type_data::<ReflectComponent>(component) else { return };
        let Ok(entity) = world.get_entity(agent) else { return };
        let Some(value) = reflect.reflect(entity) else { return };
        let copy = |path: &str| value.reflect_path(path).ok()?.to_dynamic().ok();
        paths.iter().filter_map(|path| Some((path, copy(path)?))).collect()
    };
    for other in others.into_iter().filter(|&other| other != agent) {
        edit(world, registry, other, component, |component| {
            for (path, value) in &values {
                // Another variant of an enum has no such field: the agent is not changed.
                if let Ok(field) = component.reflect_path_mut(path.as_str()) {
                    let _ = field.try_apply(&**value);
                }
            }
        });
    }
}
