//! Changes to components by reflection: of one agent, or of all that have the component.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, PartialReflect, TypeRegistry},
};
use bevy_steer::Vehicle;

use crate::inspector::{Inspector, Scope};

/// All agents with a component.
pub(crate) fn agents_with(world: &mut World, component: TypeId) -> Vec<Entity> {
    let Some(id) = world.components().get_id(component) else { return Vec::new() };
    let mut query = QueryBuilder::<Entity, With<Vehicle>>::new(world).with_id(id).build();
    query.iter(world).collect()
}

/// Those whom a change to a component of the selected agent is for.
pub(crate) fn agents_in_scope(world: &mut World, agent: Entity, component: TypeId) -> Vec<Entity> {
    match world.resource::<Inspector>().scope {
        Scope::One => vec![agent],
        Scope::All => agents_with(world, component),
    }
}

/// Changes a component of an agent. Says whether it has one that can be changed.
pub(crate) fn edit(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    edit: impl FnOnce(&mut dyn Reflect),
) -> bool {
    let Some(reflect) = registry.get_type_data::<ReflectComponent>(component) else { return false };
    let Ok(entity) = world.get_entity_mut(agent) else { return false };
    let Some(mut value) = reflect.reflect_mut(entity) else { return false };
    edit(&mut *value);
    true
}

/// Gives the fields at these paths of the component of all others in scope the values that they have in `agent`.
pub(crate) fn spread(
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
        let field = |path| value.reflect_path(path).ok();
        let copy = |path| field(path).map(|value: &dyn PartialReflect| value.to_dynamic());
        paths.iter().filter_map(|path| Some((path, copy(path.as_str())?))).collect()
    };
    for other in others.into_iter().filter(|&other| other != agent) {
        edit(world, registry, other, component, |component| {
            for (path, value) in &values {
                set(component, path, &**value);
            }
        });
    }
}

/// Sets the field at a path. Says whether there is one that takes the value.
pub(crate) fn set(component: &mut dyn Reflect, path: &str, value: &dyn PartialReflect) -> bool {
    let field = component.reflect_path_mut(path);
    field.is_ok_and(|field| field.try_apply(value).is_ok())
}
