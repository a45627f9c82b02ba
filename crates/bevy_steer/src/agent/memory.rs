//! [`Memory`]: what a behaviour keeps from tick to tick, apart from its parameters.

use bevy::{
    ecs::entity::{EntityMapper, MapEntities},
    prelude::*,
};

use crate::agent::parameter::RuntimeState;

/// What a behaviour keeps from tick to tick, apart from its parameters: one field of its component.
///
/// - Two memories are always equal, so that comparing two components compares their parameters.
/// - Tools show it read-only, presets omit it, and copying parameters leaves it as it is: it has
///   the attribute [`RuntimeState`].
/// - It is part of its component, so [`Several`](crate::Several), rollback and saved scenes carry
///   it.
///
/// It dereferences to its content.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_steer::{Blend, Memory, TargetMemory, Target};
///
/// #[derive(Component, Reflect, Default, PartialEq, Debug)]
/// #[reflect(Component, Default)]
/// struct Guard {
///     #[entities]
///     target: Target,
///     blend: Blend,
///     #[entities]
///     memory: Memory<TargetMemory>,
/// }
///
/// let (before, mut after) = (Guard::default(), Guard::default());
/// after.memory.current = Some(Entity::PLACEHOLDER);
/// assert_eq!(before, after);
/// assert_ne!(*before.memory, *after.memory);
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, Deref, DerefMut)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
#[reflect(@RuntimeState)]
pub struct Memory<T>(pub T);

impl<T> PartialEq for Memory<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T: MapEntities> MapEntities for Memory<T> {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.0.map_entities(mapper);
    }
}
