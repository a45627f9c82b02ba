//! From a [`Preset`] to an agent.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{PartialReflect, ReflectMut, ReflectRef, TypeInfo, TypeRegistry},
};
use bevy_steer::{Bearing, BehaviorRegistry, Path, RegisteredBehavior, Target, Vehicle};

use super::{
    Preset, PresetBehavior,
    scale::{factor, scale},
    write::holds_entity,
};
use crate::{
    editors::Editors,
    selected::{behaviors::remove, is_state},
};

impl Preset {
    /// Makes an agent have these behaviours and no others; with the preset's body too, or with its own.
    ///
    /// Does nothing to an entity that is no agent.
    pub fn apply(&self, world: &mut World, agent: Entity, with_body: bool) {
        let Some(own) = world.get::<Vehicle>(agent).copied() else { return };
        let body = self.vehicle.filter(|_| with_body);
        let factor = if body.is_some() { 1.0 } else { factor(self.vehicle.as_ref(), &own) };
        world.resource_scope(|world, editors: Mut<Editors>| {
            let registry = &editors.registry;
            for behavior in others(world, agent, &self.behaviors) {
                remove(world, registry, agent, &behavior);
            }
            for one in &self.behaviors {
                give(world, registry, agent, one, factor);
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

/// What the agent has and the preset has not.
fn others(world: &World, agent: Entity, wanted: &[PresetBehavior]) -> Vec<RegisteredBehavior> {
    let (Some(known), Ok(entity)) =
        (world.get_resource::<BehaviorRegistry>(), world.get_entity(agent))
    else {
        return Vec::new();
    };
    let is_wanted =
        |other: &RegisteredBehavior| wanted.iter().any(|one| one.behavior.type_id == other.type_id);
    known.iter().filter(|other| other.is_on(entity) && !is_wanted(other)).copied().collect()
}

fn give(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    one: &PresetBehavior,
    factor: f32,
) {
    let Some(component) = registry.get_type_data::<ReflectComponent>(one.behavior.type_id) else {
        return;
    };
    let Ok(mut value) = one.whole.reflect_clone() else { return };
    if factor != 1.0 {
        scale(value.as_partial_reflect_mut(), registry, factor);
    }
    if let Some(present) = world.get_entity(agent).ok().and_then(|entity| component.reflect(entity))
    {
        keep(value.as_partial_reflect_mut(), present.as_partial_reflect(), &*one.said);
    }
    if let Ok(mut entity) = world.get_entity_mut(agent) {
        component.insert(&mut entity, value.as_partial_reflect(), registry);
    }
}

/// Takes over what stays as it is: what the behaviour remembers, and whom it is about if the preset does not say.
fn keep(value: &mut dyn PartialReflect, present: &dyn PartialReflect, said: &dyn PartialReflect) {
    let Some(owner @ TypeInfo::Struct(info)) = present.get_represented_type_info() else { return };
    let (ReflectMut::Struct(value), ReflectRef::Struct(present), ReflectRef::Struct(said)) =
        (value.reflect_mut(), present.reflect_ref(), said.reflect_ref())
    else {
        return;
    };
    for field in info.iter() {
        let name = field.name();
        let (Some(to), Some(from)) = (value.field_mut(name), present.field(name)) else { continue };
        let is_unsaid = said.field(name).is_none();
        let is_about = is_about(field.type_id()) || holds_entity(from);
        if is_unsaid && (is_about || is_state(owner, name, field.type_id())) {
            // A value of the same type always fits.
            let _ = to.try_apply(from);
        }
    }
}

/// Whether a field of this type says whom or what a behaviour is about.
fn is_about(field: TypeId) -> bool {
    [TypeId::of::<Target>(), TypeId::of::<Bearing>(), TypeId::of::<Path>()].contains(&field)
}
