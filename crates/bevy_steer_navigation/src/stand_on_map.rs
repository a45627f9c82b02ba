//! [`StandOnMap`]: agents that go up and down with the surface of the map.

use bevy::prelude::*;
use bevy_steer::{SteeringPlane, SteeringSettings, Unit, builders};

use crate::{
    map::Maps,
    planar::{flat, height, lift},
};

/// Keeps a planar agent at the height of the map's surface below it: up ramps and stairs, on
/// whatever floor it is.
///
/// Steering never changes the height of planar agents. This does, after
/// [`SteeringSystems::Integrate`](bevy_steer::SteeringSystems::Integrate), for maps that have
/// heights, as navigation meshes do.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[require(Transform)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct StandOnMap {
    /// How high the entity's `Transform` is above the surface, in units. Default 0: at its feet.
    #[reflect(@Unit::Length)]
    pub offset: f32,
    /// The entity with the map. Default `None`: the only one in the world.
    #[entities]
    pub map: Option<Entity>,
}

impl StandOnMap {
    builders! {
        /// Sets how high the entity's `Transform` is above the surface, in units.
        with_offset(offset: f32);
        /// Sets the entity with the map.
        with_map(map: impl Into<Option<Entity>>);
    }
}

/// Sets the heights of agents.
pub(crate) fn stand_on_map(
    mut agents: Query<(&StandOnMap, &mut Transform, Option<&SteeringPlane>)>,
    maps: Maps,
    settings: Res<SteeringSettings>,
) {
    for (stand, mut transform, plane) in &mut agents {
        let plane = plane.copied().unwrap_or(settings.plane);
        if !plane.is_planar() || !transform.translation.is_finite() || !stand.offset.is_finite() {
            continue;
        }
        let Some(map) = maps.of(stand.map) else { continue };
        let feet = transform.translation - plane.normal() * stand.offset;
        let Some(ground) = map.planner.ground(feet) else { continue };
        let up = height(plane, ground) + stand.offset;
        let place = lift(plane, flat(plane, transform.translation), up);
        if place != transform.translation {
            transform.translation = place;
        }
    }
}
