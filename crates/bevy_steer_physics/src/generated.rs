//! The entities and components that are made for colliders.

use core::any::TypeId;

use bevy::prelude::*;
use bevy_steer::SteeringLayers;

use crate::engine::PhysicsEngine;

/// The [`Obstacle`](bevy_steer::Obstacle) of this entity was made for a collider, and is replaced
/// or removed with it. Reflected, so that one from a saved scene is recognised.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub struct GeneratedObstacle;

/// This entity is an obstacle in place of a part of the collider of another entity.
///
/// A collider of a single shape around its origin is an obstacle itself. Others, such as compound
/// shapes and colliders of child entities, have an entity for each part.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[relationship(relationship_target = ObstacleParts)]
pub struct ObstaclePartOf(#[entities] pub Entity);

/// The obstacles in place of this collider's parts. They are despawned with it.
#[derive(Component, Reflect, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq)]
#[relationship_target(relationship = ObstaclePartOf, linked_spawn)]
pub struct ObstacleParts(Vec<Entity>);

impl ObstacleParts {
    /// Their entities.
    pub fn entities(&self) -> &[Entity] {
        &self.0
    }
}

/// Where a part is, relative to its collider.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
pub(crate) struct PartPose {
    pub(crate) offset: Vec3,
    pub(crate) rotation: Quat,
}

/// The collider has been converted into obstacles as it is now.
#[derive(Component, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Converted {
    /// The engine that it is a collider of.
    engine: TypeId,
    /// Its body.
    pub(crate) body: Option<Entity>,
    /// The layers that it is in.
    pub(crate) layers: SteeringLayers,
    /// Whether its `Velocity` was added with them.
    pub(crate) has_own_velocity: bool,
}

impl Converted {
    pub(crate) fn by<E: PhysicsEngine>(
        body: Option<Entity>,
        layers: SteeringLayers,
        has_own_velocity: bool,
    ) -> Self {
        Self { engine: TypeId::of::<E>(), body, layers, has_own_velocity }
    }

    pub(crate) fn is_by<E: PhysicsEngine>(&self) -> bool {
        self.engine == TypeId::of::<E>()
    }
}

pub(crate) fn register_types(app: &mut App) {
    app.register_type::<GeneratedObstacle>()
        .register_type::<ObstaclePartOf>()
        .register_type::<PartPose>();
}
