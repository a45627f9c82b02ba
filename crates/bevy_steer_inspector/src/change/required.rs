//! Which components bring others along.

use core::any::TypeId;
use std::collections::HashSet;

use bevy::{
    ecs::component::{ComponentId, ComponentInfo},
    prelude::*,
};
use bevy_steer::BehaviorRegistry;

/// The components that a component requires, and those that these require.
pub(crate) fn required_by(world: &World, component: TypeId) -> impl Iterator<Item = TypeId> {
    let components = world.components();
    let info = components.get_id(component).and_then(|id| components.get_info(id));
    let ids = info.into_iter().flat_map(|info| info.required_components().iter_ids());
    ids.filter_map(move |id| components.get_info(id)?.type_id())
}

/// What the components of an entity that are no behaviours require. A behaviour that one of them
/// requires is directed by it: a planner writes the path of the one that follows it.
pub(crate) fn required_by_others(world: &World, entity: EntityRef) -> HashSet<TypeId> {
    let others = other_components(world, entity).filter_map(ComponentInfo::type_id);
    others.flat_map(|component| required_by(world, component)).collect()
}

/// The components of an entity that are no behaviours.
pub(crate) fn other_components<'w>(
    world: &'w World,
    entity: EntityRef<'w>,
) -> impl Iterator<Item = &'w ComponentInfo> {
    let behaviors = world.get_resource::<BehaviorRegistry>();
    let behaviors = behaviors.into_iter().flat_map(BehaviorRegistry::iter);
    let behaviors: HashSet<TypeId> =
        behaviors.flat_map(|one| [one.type_id, one.several_type_id]).collect();
    let components: Vec<ComponentId> = entity.archetype().components().to_vec();
    let infos = components.into_iter().filter_map(move |id| world.components().get_info(id));
    infos.filter(move |info| info.type_id().is_none_or(|one| !behaviors.contains(&one)))
}
