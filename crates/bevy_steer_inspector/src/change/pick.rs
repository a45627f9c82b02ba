//! Gives the parameter that is being picked the value that was clicked.

use bevy::{
    prelude::*,
    reflect::{GetPath, PartialReflect},
};
use bevy_steer::{Bearing, Target};

use super::{
    fields::{agents_in_scope, edit},
    history::{EditHistory, remember},
    memento::Memento,
};
use crate::{
    editors::registry::Editors,
    state::{
        aim::Aim,
        inspector::{Inspector, PickRequest},
    },
};

/// What was clicked in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Picked {
    /// A point.
    Point(Vec3),
    /// An entity.
    Entity(Entity),
}

/// Sets the parameter that is being picked, for all agents in scope. Ends the pick.
pub(crate) fn apply_pick(world: &mut World, picked: Picked) {
    let mut inspector = world.resource_mut::<Inspector>();
    let (Some(agent), Some(request)) = (inspector.selected, inspector.pick.take()) else { return };
    world.insert_resource(Aim(Some((agent, request.clone()))));
    let PickRequest { component, name, path } = request;
    let agents = agents_in_scope(world, agent, component);
    // An agent cannot be its own target.
    let agents: Vec<Entity> =
        agents.into_iter().filter(|&agent| picked != Picked::Entity(agent)).collect();
    world.resource_mut::<EditHistory>().seal();
    world.resource_scope(|world, editors: Mut<Editors>| {
        let registry = &editors.registry;
        let field = path.rsplit_once("].").map_or(path.as_str(), |(_, field)| field);
        remember(world, &format!("{name}.{field}"), |world| {
            let part =
                |&agent: &Entity| Memento::of_field(world, registry, agent, component, &path);
            agents.iter().filter_map(part).collect()
        });
        for agent in agents {
            let from = world.get::<Transform>(agent).map_or(Vec3::ZERO, |place| place.translation);
            edit(world, registry, agent, component, |component| {
                if let Ok(field) = component.reflect_path_mut(path.as_str()) {
                    set(field, picked, from);
                }
            });
        }
    });
}

fn set(field: &mut dyn PartialReflect, picked: Picked, from: Vec3) {
    if let Some(target) = field.try_downcast_mut::<Target>() {
        *target = match picked {
            Picked::Point(point) => Target::from(point),
            Picked::Entity(entity) => Target::Entity(entity),
        };
    } else if let Some(bearing) = field.try_downcast_mut::<Bearing>() {
        *bearing = match picked {
            Picked::Point(point) => Bearing::Direction((point - from).into()),
            Picked::Entity(entity) => Bearing::Like(entity),
        };
    } else if let (Some(entity), Picked::Entity(picked)) =
        (field.try_downcast_mut::<Entity>(), picked)
    {
        *entity = picked;
    }
}
