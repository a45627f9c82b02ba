//! [`BodyMotion`]: how colliders move with their bodies.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::engine::{BodyKind, BodyVelocity, Hierarchy, PhysicsEngine, Pose, ReadBody};

/// Tells how colliders move with their bodies.
#[derive(SystemParam)]
pub(crate) struct BodyMotion<'w, 's, E: PhysicsEngine> {
    pub(crate) hierarchy: Hierarchy<'w, 's, E>,
    bodies: Query<'w, 's, ReadBody<E>>,
}

impl<E: PhysicsEngine> BodyMotion<'_, '_, E> {
    /// The motion of the part of a collider at this position in the world: none if it has no body
    /// or a static one.
    pub(crate) fn at(&self, collider: Entity, position: Vec3) -> BodyVelocity {
        let still = BodyVelocity::default();
        let Some(entity) = E::body_of(collider, &self.hierarchy) else { return still };
        let (Ok(body), Some(pose)) = (self.bodies.get(entity), E::pose(entity, &self.hierarchy))
        else {
            return still;
        };
        let body = E::body(body);
        if body.kind == BodyKind::Static {
            return still;
        }
        let Pose { position: place, rotation } = pose;
        let BodyVelocity { linear, angular } = body.velocity;
        let arm = E::flatten(position - place) - rotation * body.center;
        BodyVelocity { linear: linear + angular.cross(arm), angular }
    }
}
