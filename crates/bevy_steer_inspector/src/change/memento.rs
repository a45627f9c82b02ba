//! [`Memento`]: a part of an agent as it was before an edit.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, TypeRegistry},
};
use bevy_steer::{Blend, RegisteredBehavior};

use super::{behaviors::remove, fields::edit};
use crate::reflection::{
    kinds::holds_entity,
    values::{assign, copy_of, keep_state},
};

/// A part of an agent as it was before an edit.
#[derive(Debug)]
pub(crate) struct Memento {
    pub(crate) agent: Entity,
    part: Part,
}

#[derive(Debug)]
enum Part {
    /// A component; `None` if the agent did not have it.
    Component { component: TypeId, value: Option<Box<dyn Reflect>> },
    /// A field of a component, by its reflection path.
    Field { component: TypeId, path: String, value: Box<dyn Reflect> },
    /// The blend of a behaviour, which need not be reflected.
    Blend { behavior: RegisteredBehavior, place: Option<usize>, value: Blend },
}

impl Memento {
    /// A component as it is now; `None` if reflection cannot copy it.
    pub(crate) fn of_component(
        world: &World,
        registry: &TypeRegistry,
        agent: Entity,
        component: TypeId,
    ) -> Option<Self> {
        let reflect = registry.get_type_data::<ReflectComponent>(component)?;
        let value = match reflect.reflect(world.get_entity(agent).ok()?) {
            Some(value) => Some(copy_of(registry, value.as_partial_reflect())?),
            None => None,
        };
        Some(Self { agent, part: Part::Component { component, value } })
    }

    /// A field as it is now; `None` if the agent has none at this path.
    pub(crate) fn of_field(
        world: &World,
        registry: &TypeRegistry,
        agent: Entity,
        component: TypeId,
        path: &str,
    ) -> Option<Self> {
        let reflect = registry.get_type_data::<ReflectComponent>(component)?;
        let value = reflect.reflect(world.get_entity(agent).ok()?)?;
        let value = copy_of(registry, value.reflect_path(path).ok()?)?;
        Some(Self::field(agent, component, path.to_owned(), value))
    }

    /// A field that had this value.
    pub(crate) fn field(
        agent: Entity,
        component: TypeId,
        path: String,
        value: Box<dyn Reflect>,
    ) -> Self {
        Self { agent, part: Part::Field { component, path, value } }
    }

    /// The blend of a behaviour as it is now; `None` if the agent does not have the behaviour.
    pub(crate) fn of_blend(
        world: &World,
        agent: Entity,
        behavior: &RegisteredBehavior,
        place: Option<usize>,
    ) -> Option<Self> {
        let value = *behavior.blend_at(world.get_entity(agent).ok()?, place)?;
        Some(Self { agent, part: Part::Blend { behavior: *behavior, place, value } })
    }

    /// Whether a preset that has these components of its agent has what this part is now. Values
    /// that hold an entity are not saved.
    pub(crate) fn is_in_preset(
        &self,
        world: &World,
        registry: &TypeRegistry,
        components: &[TypeId],
    ) -> bool {
        match &self.part {
            Part::Component { component, .. } => components.contains(component),
            Part::Field { component, path, .. } => {
                let now = Self::of_field(world, registry, self.agent, *component, path);
                let is_kept = |now: Self| matches!(now.part, Part::Field { value, .. } if !holds_entity(&*value));
                components.contains(component) && now.is_some_and(is_kept)
            }
            Part::Blend { .. } => true,
        }
    }

    /// Whether the agent had no such component and has none now.
    pub(crate) fn is_of_nothing(&self, world: &World) -> bool {
        let Part::Component { component, value: None } = &self.part else { return false };
        world.get_entity(self.agent).is_ok_and(|entity| !entity.contains_type_id(*component))
    }

    /// Gives the part back to the agent, and keeps what the agent had instead. Runtime state stays.
    /// Returns whether there was something to change.
    pub(crate) fn swap(&mut self, world: &mut World, registry: &TypeRegistry) -> bool {
        let agent = self.agent;
        match &mut self.part {
            Part::Component { component, value } => {
                let now = Self::of_component(world, registry, agent, *component);
                let Some(Self { part: Part::Component { value: now, .. }, .. }) = now else {
                    return false;
                };
                let before = core::mem::replace(value, now);
                give_back(world, registry, agent, *component, before, value.as_deref())
            }
            Part::Field { component, path, value } => {
                let mut swapped = false;
                edit(world, registry, agent, *component, |component| {
                    let Ok(field) = component.reflect_path_mut(path.as_str()) else { return };
                    let Some(now) = copy_of(registry, field) else { return };
                    swapped = assign(field, core::mem::replace(value, now));
                });
                swapped
            }
            Part::Blend { behavior, place, value } => {
                let Ok(mut entity) = world.get_entity_mut(agent) else { return false };
                behavior.edit_blend_at(&mut entity, *place, |blend| core::mem::swap(blend, value))
            }
        }
    }
}

fn give_back(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    before: Option<Box<dyn Reflect>>,
    now: Option<&dyn Reflect>,
) -> bool {
    match (before, now) {
        (Some(mut before), Some(now)) => {
            keep_state(before.as_partial_reflect_mut(), now.as_partial_reflect());
            let mut is_set = false;
            edit(world, registry, agent, component, |component| {
                is_set = assign(component.as_partial_reflect_mut(), before);
            });
            is_set
        }
        (Some(before), None) => {
            let reflect = registry.get_type_data::<ReflectComponent>(component);
            let (Some(reflect), Ok(mut entity)) = (reflect, world.get_entity_mut(agent)) else {
                return false;
            };
            reflect.insert(&mut entity, before.as_partial_reflect(), registry);
            true
        }
        (None, Some(_)) => {
            remove(world, registry, agent, component, None);
            true
        }
        (None, None) => false,
    }
}
