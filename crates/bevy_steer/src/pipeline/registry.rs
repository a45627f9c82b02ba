//! [`BehaviorRegistry`]: the registered behaviours.

use core::any::TypeId;

use bevy::prelude::*;

use crate::{
    agent::blend::{Blend, Priority},
    behavior::{several::Several, steering_behavior::SteeringBehavior},
};

/// The registered behaviours, in the order of their registration.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    pub(crate) entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour, for tools that do not know its type.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// The type of the component [`Several`] of it.
    pub several_type_id: TypeId,
    /// Its [name](SteeringBehavior::name): `Seek`.
    pub name: &'static str,
    /// The default tier, if its [`Blend`] has none.
    pub priority: Priority,
    /// Whether it [moves](SteeringBehavior::DRIVES) its agent; otherwise it runs after those that
    /// do.
    pub drives: bool,
    blend: for<'w> fn(EntityRef<'w>, Option<usize>) -> Option<&'w Blend>,
    edit_blend: fn(&mut EntityWorldMut, Option<usize>, &mut dyn FnMut(&mut Blend)) -> bool,
    is_enabled: fn(EntityRef) -> bool,
    set_enabled: fn(&mut EntityWorldMut, bool) -> bool,
    collect_drawings: fn(&mut App),
}

impl RegisteredBehavior {
    pub(crate) fn of<B: SteeringBehavior>(collect_drawings: fn(&mut App)) -> Self {
        Self {
            type_id: TypeId::of::<B>(),
            several_type_id: TypeId::of::<Several<B>>(),
            name: B::name(),
            priority: B::PRIORITY,
            drives: B::DRIVES,
            blend: |entity, place| match place {
                None => entity.get::<B>().map(B::blend),
                Some(place) => entity.get::<Several<B>>()?.get(place).map(B::blend),
            },
            edit_blend: |entity, place, edit| {
                let blend = match place {
                    None => entity.get_mut::<B>().map(|one| one.into_inner().blend_mut()),
                    Some(place) => entity
                        .get_mut::<Several<B>>()
                        .and_then(|all| all.into_inner().get_mut(place).map(B::blend_mut)),
                };
                blend.map(edit).is_some()
            },
            is_enabled: |entity| {
                let several = entity.get::<Several<B>>().into_iter().flat_map(|several| &several.0);
                entity.get::<B>().into_iter().chain(several).any(B::is_enabled)
            },
            set_enabled: |entity, enabled| {
                let one = entity.get_mut::<B>();
                let has_one = one.map(|mut one| one.set_enabled(enabled)).is_some();
                let Some(mut several) = entity.get_mut::<Several<B>>() else { return has_one };
                several.iter_mut().for_each(|one| one.set_enabled(enabled));
                has_one || !several.is_empty()
            },
            collect_drawings,
        }
    }

    /// The blend of this behaviour of an entity, if the entity has it.
    pub fn blend<'w>(&self, entity: impl Into<EntityRef<'w>>) -> Option<&'w Blend> {
        self.blend_at(entity, None)
    }

    /// The blend of one of [`Several`] of it, by its [place](crate::Contribution::place); `None`
    /// for the component itself.
    pub fn blend_at<'w>(
        &self,
        entity: impl Into<EntityRef<'w>>,
        place: Option<usize>,
    ) -> Option<&'w Blend> {
        (self.blend)(entity.into(), place)
    }

    /// Changes the blend. Returns whether the entity has the behaviour.
    pub fn edit_blend(&self, entity: &mut EntityWorldMut, edit: impl FnMut(&mut Blend)) -> bool {
        self.edit_blend_at(entity, None, edit)
    }

    /// Changes the blend of one of [`Several`] of it, see [`blend_at`](Self::blend_at). Returns
    /// whether the entity has it.
    pub fn edit_blend_at(
        &self,
        entity: &mut EntityWorldMut,
        place: Option<usize>,
        mut edit: impl FnMut(&mut Blend),
    ) -> bool {
        (self.edit_blend)(entity, place, &mut edit)
    }

    /// Whether this entity has the component, enabled or not.
    pub fn has<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        entity.into().contains_type_id(self.type_id)
    }

    /// Whether it is enabled on this entity, as the component or as one of [`Several`].
    pub fn is_enabled<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        (self.is_enabled)(entity.into())
    }

    /// Enables or disables it, the component and all of [`Several`]. Returns whether the entity has
    /// any.
    pub fn set_enabled(&self, entity: &mut EntityWorldMut, enabled: bool) -> bool {
        (self.set_enabled)(entity, enabled)
    }

    /// Adds the system in which it draws itself.
    pub(crate) fn collect_drawings(&self, app: &mut App) {
        (self.collect_drawings)(app);
    }
}

impl BehaviorRegistry {
    /// All of them, in the order of their registration.
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
