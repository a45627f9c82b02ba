//! The motion in the world of entities with moving parents, and a warning about agents with them.

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::{
    agent::{
        locomotion::SteeringTick,
        tick_context::InvalidInputLog,
        vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity},
    },
    space::{local_axes, to_world},
};

/// The position and motion of an entity, in the frame of its parent or in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion {
    pub position: Vec3,
    pub velocity: Vec3,
    /// Its angular velocity, in radians a second.
    pub spin: Vec3,
    /// The direction that it faces. Not always a unit vector.
    pub facing: Vec3,
}

type Frame = (
    &'static Transform,
    Option<&'static Velocity>,
    Option<&'static AngularVelocity>,
    Option<(&'static Vehicle, &'static SteeringForce)>,
    Option<&'static Heading>,
    Has<KeepRotation>,
    Option<&'static ChildOf>,
);

/// The transforms and motions of all entities.
#[derive(SystemParam)]
pub(crate) struct Hierarchy<'w, 's>(Query<'w, 's, Frame>);

impl Hierarchy<'_, '_> {
    /// The motion of a child in the world, if it and all its ancestors have transforms. Without a
    /// heading or velocity it faces in its local direction `forward`.
    #[cold]
    pub(crate) fn motion(&self, entity: Entity, forward: Vec3) -> Option<Motion> {
        let (transform, velocity, spin, _, heading, _, mut parent) = self.0.get(entity).ok()?;
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let heading = heading.map_or(Vec3::ZERO, |heading| heading.0);
        let facing = [heading, velocity].into_iter().find(|&facing| facing != Vec3::ZERO);
        let mut motion = Motion {
            position: transform.translation,
            velocity,
            spin: spin.map_or(Vec3::ZERO, |spin| spin.0),
            facing: facing.unwrap_or_else(|| rotate(transform.rotation, forward)),
        };
        while let Some(above) = parent {
            let (frame, velocity, spin, vehicle, _, keeps_rotation, next) =
                self.0.get(above.parent()).ok()?;
            let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
            let spin = match (spin, vehicle) {
                (Some(spin), _) => spin.0,
                (None, Some((vehicle, force))) if !keeps_rotation => {
                    turning(vehicle, velocity, force.linear)
                }
                _ => Vec3::ZERO,
            };
            let arm = rotate(frame.rotation, frame.scale * motion.position);
            motion = Motion {
                position: frame.translation + arm,
                velocity: rotate(frame.rotation, frame.scale * motion.velocity)
                    + velocity
                    + spin.cross(arm),
                spin: rotate(frame.rotation, motion.spin) + spin,
                facing: rotate(frame.rotation, motion.facing),
            };
            parent = next;
        }
        Some(motion)
    }

    /// The parent of an entity, its parent, and so on, as far as they have transforms, and the
    /// first one that has none.
    pub(crate) fn ancestors(&self, entity: Entity) -> impl Iterator<Item = Entity> {
        let parent = |entity: &Entity| {
            let (.., parent) = self.0.get(*entity).ok()?;
            parent.map(ChildOf::parent)
        };
        core::iter::successors(parent(&entity), parent)
    }

    fn is_at_identity(&self, mut entity: Entity) -> bool {
        while let Ok((transform, .., parent)) = self.0.get(entity) {
            if *transform != Transform::IDENTITY {
                return false;
            }
            let Some(parent) = parent else { break };
            entity = parent.parent();
        }
        true
    }
}

fn rotate(rotation: Quat, v: Vec3) -> Vec3 {
    to_world(&local_axes(rotation), v)
}

/// The angular velocity of an agent that faces along its velocity, which its force turns.
fn turning(vehicle: &Vehicle, velocity: Vec3, force: Vec3) -> Vec3 {
    /// Below this fraction of its top speed the direction of its velocity changes abruptly, so its
    /// turn rate is reduced.
    const SLOW: f32 = 0.1;
    let slow = SLOW * vehicle.max_speed;
    let turning = velocity.cross(force / vehicle.mass);
    let turning = turning / velocity.length_squared().max(slow * slow);
    if turning.is_finite() { turning } else { Vec3::ZERO }
}

/// Warns of agents with an ancestor whose `Transform` is not the identity.
pub(crate) fn check_parents(
    tick: Res<SteeringTick>,
    agents: Query<(Entity, &ChildOf), With<Vehicle>>,
    hierarchy: Hierarchy,
    invalid_input: Res<InvalidInputLog>,
) {
    /// The number of ticks between two checks.
    const EVERY: u64 = 16;
    if !tick.0.is_multiple_of(EVERY) {
        return;
    }
    // Most agents with a parent share it, so the last result is kept.
    let (mut last, mut misplaced) = (None, Vec::new());
    for (entity, child_of) in &agents {
        let parent = child_of.parent();
        let is_fine = match last {
            Some((last, is_fine)) if last == parent => is_fine,
            _ => hierarchy.is_at_identity(parent),
        };
        last = Some((parent, is_fine));
        if !is_fine {
            misplaced.push(entity);
        }
    }
    let problem = "is an entity whose Transform is not the identity; steering uses the agent's \
                   Transform as its position in the world, so it is rendered in the wrong place; \
                   make the agent a root entity, or its parents' Transforms the identity";
    invalid_input.warn_together(misplaced, "ChildOf", problem);
}
