//! [`NeighborQuery`] and [`Neighbor`]: queries to the index, and their results.

use bevy::prelude::*;

use crate::{
    agent::{id::AgentId, layers::SteeringLayers},
    space::plane::{IntoPoint, SteeringPlane},
};

/// A query: the place, the layers, and the plane in which distances are measured.
///
/// A `Vec3` or `Vec2` alone is a query for all entities around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborQuery {
    /// The place to search around.
    pub center: Vec3,
    /// Layers of the entities to find. Default all.
    pub layers: SteeringLayers,
    /// The plane in which distances are measured. Default `None`: the plugin's default plane.
    pub plane: Option<SteeringPlane>,
    /// An entity to leave out, usually the one that searches. Default none.
    pub except: Option<Entity>,
    /// From where to where the agent that searches reaches along the normal of the plane: only
    /// entities level with it are found. Default none: all are. For agents of one plane only, see
    /// [`Agent::beside`](crate::Agent::beside).
    pub span: Option<[f32; 2]>,
}

impl NeighborQuery {
    /// All entities around a place.
    pub fn at(center: impl IntoPoint) -> Self {
        let center = center.into_point();
        Self { center, layers: SteeringLayers::ALL, plane: None, except: None, span: None }
    }

    /// Only entities in one of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// With distances measured in this plane.
    #[must_use]
    pub fn in_plane(mut self, plane: SteeringPlane) -> Self {
        self.plane = Some(plane);
        self
    }

    /// Without this entity.
    #[must_use]
    pub fn except(mut self, entity: Entity) -> Self {
        self.except = Some(entity);
        self
    }
}

impl<P: IntoPoint> From<P> for NeighborQuery {
    fn from(center: P) -> Self {
        Self::at(center)
    }
}

/// An entity that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub id: AgentId,
    /// The vector to it from the centre of the query, in the plane of the query, and the short way
    /// round in a wrapping world.
    pub offset: Vec3,
    /// The square of the length of `offset`.
    pub distance_squared: f32,
    /// Its velocity, in the plane of the query.
    pub velocity: Vec3,
    /// The radius of its body; zero if it is no agent.
    pub radius: f32,
    /// Whether it is an agent: has a [`Vehicle`](crate::Vehicle).
    pub is_agent: bool,
    /// Whether it moves: has a [`Velocity`](crate::Velocity).
    pub moves: bool,
    /// Its layers.
    pub layers: SteeringLayers,
}
