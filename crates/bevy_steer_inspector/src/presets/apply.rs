//! Applies a [`Preset`] to an agent.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{PartialReflect, ReflectMut, ReflectRef, TypeInfo, TypeRegistry},
};
use bevy_steer::{Bearing, BehaviorRegistry, Path, RegisteredBehavior, Target, Vehicle};

use super::{
    preset::{Preset, PresetBehavior},
    scale::{factor, scale},
};
use crate::{
    change::behaviors::remove,
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
            for behavior in others(world, agent, &self.behaviors) {
                remove(world, registry, agent, behavior.type_id, None);
            }
            for one in &self.behaviors {
                insert(world, registry, agent, one, factor);
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

/// The behaviours that the agent has and the preset does not.
fn others(world: &World, agent: Entity, wanted: &[PresetBehavior]) -> Vec<RegisteredBehavior> {
    let (Some(known), Ok(entity)) =
        (world.get_resource::<BehaviorRegistry>(), world.get_entity(agent))
    else {
        return Vec::new();
    };
    let is_wanted =
        |other: &RegisteredBehavior| wanted.iter().any(|one| one.behavior.type_id == other.type_id);
    known.iter().filter(|other| other.has(entity) && !is_wanted(other)).copied().collect()
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
    let Ok(mut value) = one.complete.reflect_clone() else { return };
    if factor != 1.0 {
        scale(value.as_partial_reflect_mut(), registry, factor);
    }
    if let Some(current) = world.get_entity(agent).ok().and_then(|entity| component.reflect(entity))
    {
        keep_current(value.as_partial_reflect_mut(), current.as_partial_reflect(), &*one.given);
    }
    if let Ok(mut entity) = world.get_entity_mut(agent) {
        component.insert(&mut entity, value.as_partial_reflect(), registry);
    }
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
