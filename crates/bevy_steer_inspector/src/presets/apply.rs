//! Applies a [`Preset`] to an agent.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{
        GetPath, PartialReflect, ReflectMut, ReflectRef, TypeInfo, TypeRegistry,
        std_traits::ReflectDefault,
    },
};
use bevy_steer::{Bearing, BehaviorRegistry, Path, RegisteredBehavior, Target, Vehicle};

use super::{
    preset::{Preset, PresetBehavior},
    scale::{factor, scale},
};
use crate::{
    change::behaviors::{push, remove},
    editors::registry::Editors,
    reflection::kinds::{holds_entity, is_state},
};

impl Preset {
    /// Replaces the behaviours of an agent by those of the preset. With `with_body` the agent gets
    /// the vehicle of the preset too; otherwise it keeps its own and lengths are scaled to it.
    ///
    /// Does nothing to an entity without a [`Vehicle`].
    pub fn apply(&self, world: &mut World, agent: Entity, with_body: bool) {
        let Some(own) = world.get::<Vehicle>(agent).copied() else { return };
        let body = self.vehicle.filter(|_| with_body);
        let factor = if body.is_some() { 1.0 } else { factor(self.vehicle.as_ref(), &own) };
        world.resource_scope(|world, editors: Mut<Editors>| {
            let registry = &editors.registry;
            for component in others(world, agent, self) {
                remove(world, registry, agent, component, None);
            }
            for one in &self.behaviors {
                insert(world, registry, agent, one, factor);
            }
            for (behavior, several) in &self.several {
                insert_several(world, registry, agent, behavior, several, factor);
            }
        });
        let mut agent = world.entity_mut(agent);
        if let Some(body) = body {
            agent.insert(body);
        }
        if let Some(arbitration) = &self.arbitration {
            agent.insert(arbitration.clone());
        }
    }
}

/// The components of behaviours that the agent has and the preset does not.
fn others(world: &World, agent: Entity, preset: &Preset) -> Vec<TypeId> {
    let (Some(known), Ok(entity)) =
        (world.get_resource::<BehaviorRegistry>(), world.get_entity(agent))
    else {
        return Vec::new();
    };
    let single = preset.behaviors.iter().map(|one| one.behavior.type_id);
    let several = preset.several.iter().map(|(behavior, _)| behavior.several_type_id);
    let wanted: Vec<TypeId> = single.chain(several).collect();
    let components = known.iter().flat_map(|one| [one.type_id, one.several_type_id]);
    components.filter(|one| entity.contains_type_id(*one) && !wanted.contains(one)).collect()
}

fn insert(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    one: &PresetBehavior,
    factor: f32,
) {
    let Some(component) = registry.get_type_data::<ReflectComponent>(one.behavior.type_id) else {
        return;
    };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    let current = component.reflect(&entity).map(PartialReflect::as_partial_reflect);
    if let Some(value) = value(registry, one, current, factor) {
        component.insert(&mut entity, value.as_partial_reflect(), registry);
    }
}

/// Gives an agent several behaviours of one kind instead of those that it has.
fn insert_several(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
    several: &[PresetBehavior],
    factor: f32,
) {
    let type_id = behavior.several_type_id;
    let Some(component) = registry.get_type_data::<ReflectComponent>(type_id) else { return };
    let Some(default) = registry.get_type_data::<ReflectDefault>(type_id) else { return };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    let current = component.reflect(&entity);
    let mut new = default.default();
    for (place, one) in several.iter().enumerate() {
        let path = format!("0[{place}]");
        let current = current.and_then(|current| current.reflect_path(path.as_str()).ok());
        if let Some(value) = value(registry, one, current, factor) {
            push(&mut *new, value);
        }
    }
    component.insert(&mut entity, new.as_partial_reflect(), registry);
}

/// A behaviour of a preset for an agent that has this one at present, if it has.
fn value(
    registry: &TypeRegistry,
    one: &PresetBehavior,
    current: Option<&dyn PartialReflect>,
    factor: f32,
) -> Option<Box<dyn Reflect>> {
    let mut value = one.complete.reflect_clone().ok()?;
    if factor != 1.0 {
        scale(value.as_partial_reflect_mut(), registry, factor);
    }
    if let Some(current) = current {
        keep_current(value.as_partial_reflect_mut(), current, &*one.given);
    }
    Some(value)
}

/// Copies the values that a preset leaves alone unless it names them: the runtime state and the
/// fields that say what the behaviour is directed at.
fn keep_current(
    value: &mut dyn PartialReflect,
    current: &dyn PartialReflect,
    given: &dyn PartialReflect,
) {
    let Some(TypeInfo::Struct(info)) = current.get_represented_type_info() else { return };
    let (ReflectMut::Struct(value), ReflectRef::Struct(current), ReflectRef::Struct(given)) =
        (value.reflect_mut(), current.reflect_ref(), given.reflect_ref())
    else {
        return;
    };
    for field in info.iter() {
        let name = field.name();
        let (Some(to), Some(from)) = (value.field_mut(name), current.field(name)) else { continue };
        let is_given = given.field(name).is_some();
        let is_direction = is_directed(field.type_id()) || holds_entity(from);
        if !is_given && (is_direction || is_state(field)) {
            // A value of the same type always fits.
            let _ = to.try_apply(from);
        }
    }
}

/// Whether a field of this type says what a behaviour is directed at.
fn is_directed(field: TypeId) -> bool {
    [TypeId::of::<Target>(), TypeId::of::<Bearing>(), TypeId::of::<Path>()].contains(&field)
}
