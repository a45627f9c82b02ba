//! Applies a [`Preset`] to an agent.

use core::any::TypeId;
use std::collections::HashSet;

use bevy::{
    prelude::*,
    reflect::{
        GetPath, PartialReflect, ReflectMut, ReflectRef, TypeInfo, TypeRegistry,
        std_traits::ReflectDefault,
    },
};
use bevy_steer::{BehaviorRegistry, RegisteredBehavior, Vehicle};

use super::{
    preset::{Preset, PresetBehavior},
    scale::{factor, scale},
};
use crate::{
    change::{
        behaviors::{push, remove},
        required::required_by_others,
    },
    editors::registry::Editors,
    reflection::{
        kinds::{holds_entity, is_directed, is_set_by_others, is_state},
        values::copy_of,
    },
};

impl Preset {
    /// Replaces the behaviours of an agent by those of the preset. With `with_body` the agent gets
    /// the vehicle of the preset too; otherwise it keeps its own and lengths are scaled to it.
    ///
    /// The agent keeps behaviours that presets do not
    /// [hold](bevy_steer::SteeringBehavior::IN_PRESETS), and those that another of its components
    /// requires: these also keep what they are directed at.
    ///
    /// Does nothing to an entity without a [`Vehicle`].
    pub fn apply(&self, world: &mut World, agent: Entity, with_body: bool) {
        let Ok(entity) = world.get_entity(agent) else { return };
        let Some(own) = entity.get::<Vehicle>().copied() else { return };
        let required = required_by_others(world, entity);
        let body = self.vehicle.filter(|_| with_body);
        let factor = if body.is_some() { 1.0 } else { factor(self.vehicle.as_ref(), &own) };
        world.resource_scope(|world, editors: Mut<Editors>| {
            let registry = &editors.registry;
            for component in others(world, agent, self, &required) {
                remove(world, registry, agent, component, None);
            }
            for one in &self.behaviors {
                let is_required = required.contains(&one.behavior.type_id);
                insert(world, registry, agent, one, Fitting { factor, is_required });
            }
            for (behavior, several) in &self.several {
                let is_required = required.contains(&behavior.several_type_id);
                let fitting = Fitting { factor, is_required };
                insert_several(world, registry, agent, behavior, several, fitting);
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

/// How a behaviour of a preset is fitted to an agent.
#[derive(Clone, Copy)]
struct Fitting {
    /// The factor of its lengths.
    factor: f32,
    /// Whether another component of the agent requires the behaviour, and says what it is directed
    /// at.
    is_required: bool,
}

/// The components of behaviours that the preset does not have and that the agent loses: of those
/// that presets hold, the ones that no other component requires.
fn others(
    world: &World,
    agent: Entity,
    preset: &Preset,
    required: &HashSet<TypeId>,
) -> Vec<TypeId> {
    let (Some(known), Ok(entity)) =
        (world.get_resource::<BehaviorRegistry>(), world.get_entity(agent))
    else {
        return Vec::new();
    };
    let single = preset.behaviors.iter().map(|one| one.behavior.type_id);
    let several = preset.several.iter().map(|(behavior, _)| behavior.several_type_id);
    let wanted: Vec<TypeId> = single.chain(several).collect();
    let held = known.iter().filter(|one| one.in_presets);
    let components = held.flat_map(|one| [one.type_id, one.several_type_id]);
    let is_kept = |one: &TypeId| wanted.contains(one) || required.contains(one);
    components.filter(|one| entity.contains_type_id(*one) && !is_kept(one)).collect()
}

fn insert(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    one: &PresetBehavior,
    fitting: Fitting,
) {
    let Some(component) = registry.get_type_data::<ReflectComponent>(one.behavior.type_id) else {
        return;
    };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    let current = component.reflect(&entity).map(PartialReflect::as_partial_reflect);
    if let Some(value) = value(registry, one, current, fitting) {
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
    fitting: Fitting,
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
        if let Some(value) = value(registry, one, current, fitting) {
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
    Fitting { factor, is_required }: Fitting,
) -> Option<Box<dyn Reflect>> {
    let mut value = copy_of(registry, one.complete.as_partial_reflect())?;
    if factor != 1.0 {
        scale(value.as_partial_reflect_mut(), registry, factor);
    }
    if let Some(current) = current {
        keep_current(value.as_partial_reflect_mut(), current, &*one.given, is_required);
    }
    Some(value)
}

/// Copies the values that a preset leaves alone: fields that another component sets, and, unless
/// the preset names them, the runtime state and what the behaviour is directed at.
fn keep_current(
    value: &mut dyn PartialReflect,
    current: &dyn PartialReflect,
    given: &dyn PartialReflect,
    is_required: bool,
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
        let is_set = is_required && is_set_by_others(field.type_id());
        let is_direction = is_directed(field.type_id()) || holds_entity(from);
        if is_set || !is_given && (is_direction || is_state(field)) {
            // A value of the same type always fits.
            let _ = to.try_apply(from);
        }
    }
}
