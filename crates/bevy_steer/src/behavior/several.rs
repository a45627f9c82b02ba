//! [`Several`]: more than one behaviour of one kind on an agent.

use bevy::{
    ecs::{
        component::{ComponentId, Mutable, RequiredComponentsRegistrator, StorageType},
        entity::EntityMapper,
    },
    prelude::*,
};

use crate::behavior::steering_behavior::SteeringBehavior;

/// Several behaviours of one kind on an agent, each with its own blend and memory: two targets to
/// seek, three threats to evade.
///
/// Works with every registered behaviour, including your own. The agent may have the behaviour
/// itself as well. They run in order, one after the other.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands, wolf: Entity, bear: Entity) {
/// commands.spawn((
///     Vehicle::default(),
///     Several::new([Evade::new(wolf), Evade::new(bear).with_weight(2.0)]),
/// ));
/// # }
/// ```
#[derive(Reflect, Clone, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Default)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", serde(transparent))]
pub struct Several<B: SteeringBehavior>(pub Vec<B>);

impl<B: SteeringBehavior> Several<B> {
    /// Combines these behaviours.
    pub fn new(behaviors: impl IntoIterator<Item = B>) -> Self {
        Self(behaviors.into_iter().collect())
    }
}

/// The type name of the behaviour, if this is the type name of several of one.
pub(crate) fn one_of_several(type_name: &str) -> Option<&str> {
    type_name.strip_prefix(concat!(module_path!(), "::Several<"))?.strip_suffix('>')
}

impl<B: SteeringBehavior> Default for Several<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Not derived, because it requires the components that its behaviours require, and maps their
/// entities.
impl<B: SteeringBehavior> Component for Several<B> {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;

    fn register_required_components(
        component: ComponentId,
        required: &mut RequiredComponentsRegistrator,
    ) {
        B::register_required_components(component, required);
    }

    fn map_entities<M: EntityMapper>(this: &mut Self, mapper: &mut M) {
        this.0.iter_mut().for_each(|one| B::map_entities(one, mapper));
    }
}
