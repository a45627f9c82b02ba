//! [`BodyMotion`]: how colliders move with their bodies.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{avian::prelude::*, space};

/// Tells how colliders move with their bodies.
#[derive(SystemParam)]
pub(super) struct BodyMotion<'w, 's> {
    colliders: Query<'w, 's, &'static ColliderOf>,
    bodies: Query<
        'w,
        's,
        (
            &'static RigidBody,
            (&'static Position, &'static Rotation),
            (&'static LinearVelocity, &'static AngularVelocity, &'static ComputedCenterOfMass),
        ),
    >,
}

/// The motion of a part of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Motion {
    /// In units a second.
    pub(super) velocity: Vec3,
    /// The angular velocity, in radians a second.
    pub(super) spin: Vec3,
}

impl BodyMotion<'_, '_> {
    /// How the part of a collider at this position in the world moves: not at all if it has no body
    /// or a static one.
    pub(super) fn at(&self, collider: Entity, position: Vec3) -> Motion {
        let body = self.colliders.get(collider).ok();
        let body = body.and_then(|of_body| self.bodies.get(of_body.body).ok());
        let Some((body, (place, rotation), (linear, angular, center))) = body else {
            return Motion::default();
        };
        if body.is_static() {
            return Motion::default();
        }
        let center = space::rotation(*rotation) * space::to_world(center.0);
        let arm = position - space::to_world(place.0) - center;
        let spin = space::spin_to_world(*angular);
        Motion { velocity: space::to_world(linear.0) + spin.cross(arm), spin }
    }
}
