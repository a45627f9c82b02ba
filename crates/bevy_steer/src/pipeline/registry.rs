//! [`BehaviorRegistry`]: the behaviours that are registered.

use core::any::TypeId;

use bevy::prelude::*;

use crate::{
    agent::blend::{Blend, Priority},
    behavior::steering_behavior::SteeringBehavior,
};

/// The registered behaviours, in the order in which they run.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    pub(crate) entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour, and what tools need to handle it without knowing its type.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// Its [name](SteeringBehavior::name): `Seek`.
    pub name: &'static str,
    /// The tier it belongs to unless its [`Blend`] says otherwise.
    pub priority: Priority,
    blend: for<'w> fn(EntityRef<'w>) -> Option<&'w Blend>,
    edit_blend: fn(&mut EntityWorldMut, &mut dyn FnMut(&mut Blend)) -> bool,
    collect_drawings: fn(&mut App),
}

impl RegisteredBehavior {
    pub(crate) fn of<B: SteeringBehavior>(collect_drawings: fn(&mut App)) -> Self {
        Self {
            type_id: TypeId::of::<B>(),
            name: B::name(),
            priority: B::PRIORITY,
            blend: |entity| entity.get::<B>().map(B::blend),
            edit_blend: |entity, edit| {
                let Some(mut behavior) = entity.get_mut::<B>() else { return false };
                edit(behavior.blend_mut());
                true
            },
            collect_drawings,
        }
    }

    /// How it takes part in the arbitration of this entity, if that has it.
    pub fn blend<'w>(&self, entity: impl Into<EntityRef<'w>>) -> Option<&'w Blend> {
        (self.blend)(entity.into())
    }

    /// Changes that. Returns whether the entity has the behaviour.
    pub fn edit_blend(
        &self,
        entity: &mut EntityWorldMut,
        mut edit: impl FnMut(&mut Blend),
    ) -> bool {
        (self.edit_blend)(entity, &mut edit)
    }

    /// Whether this entity has it, switched on or off.
    pub fn is_on<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        entity.into().contains_type_id(self.type_id)
    }

    /// Adds the system that asks it to draw itself.
    pub(crate) fn collect_drawings(&self, app: &mut App) {
        (self.collect_drawings)(app);
    }
}

impl BehaviorRegistry {
    /// All of them, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    /// One of them, by its index in that order.
    pub fn get(&self, index: usize) -> Option<&RegisteredBehavior> {
        self.entries.get(index)
    }

    pub(crate) fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}
