//! [`Measured`]: the mass, radius and height of an agent come from its body.

use bevy::prelude::*;
use bevy_steer::{SteeringHeight, SteeringPlane, SteeringSettings, Vehicle};

use crate::{
    bodies::{Moved, SteeredBody},
    engine::{BodyKind, Hierarchy, PhysicsEngine, Pose, ReadBody, ReadCollider},
    part::{Part, Reach},
};

/// What this crate has set of an agent. Anything else is the game's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measured {
    mass: Option<f32>,
    radius: Option<f32>,
    height: Option<f32>,
    /// Its solid colliders, seen from the body, when they were looked at.
    colliders: Vec<(Entity, Pose)>,
}

impl Measured {
    /// Whether the mass is that of [`Vehicle::new`] or the one that this crate has set.
    fn has_mass(&self, vehicle: &Vehicle) -> bool {
        vehicle.mass == self.mass.unwrap_or(Vehicle::new(vehicle.max_speed).mass)
    }

    /// Whether the radius is that of [`Vehicle::new`] or the one that this crate has set.
    fn has_radius(&self, vehicle: &Vehicle) -> bool {
        vehicle.radius == self.radius.unwrap_or(Vehicle::new(vehicle.max_speed).radius)
    }

    /// Forgets what was measured if the game has given the agent another vehicle, as
    /// [`Vehicle::new`] makes it.
    fn notice_vehicle(&mut self, vehicle: &Vehicle) {
        let plain = Vehicle::new(vehicle.max_speed);
        let is_plain = (vehicle.mass, vehicle.radius, vehicle.max_force)
            == (plain.mass, plain.radius, plain.max_force);
        let has_changed = self.mass.is_some_and(|mass| mass != vehicle.mass)
            || self.radius.is_some_and(|radius| radius != vehicle.radius);
        if is_plain && has_changed {
            *self = Self { height: self.height, ..Self::default() };
        }
    }

    /// Whether there is no height, or the one that this crate has set.
    fn has_height(&self, height: Option<&SteeringHeight>) -> bool {
        height.is_none_or(|height| Some(height.0) == self.height)
    }

    /// They are looked at anew.
    pub(crate) fn forget_colliders(&mut self) {
        self.colliders.clear();
    }
}

/// Not its lowest and highest twentieth: the floor on which it stands is not in its way.
const HEIGHT: f32 = 0.9;

/// Measures the bodies that have changed.
pub(crate) fn measure_bodies<E: PhysicsEngine>(
    mut commands: Commands,
    mut agents: Query<
        (
            (Entity, ReadBody<E>, Option<ReadCollider<E>>),
            (&mut Vehicle, &mut SteeredBody, Option<&SteeringPlane>, Option<&SteeringHeight>),
        ),
        Moved,
    >,
    colliders: Query<E::Collider>,
    hierarchy: Hierarchy<E>,
    settings: Res<SteeringSettings>,
) {
    let mut attached = Vec::new();
    for ((entity, body, own_collider), agent) in &mut agents {
        let (mut vehicle, mut steered, plane, height) = agent;
        let plane = plane.copied().unwrap_or(settings.plane);
        steered.measured.notice_vehicle(&vehicle);
        let body = E::body(body);
        let mass = body.mass;
        if mass != vehicle.mass
            && (mass.is_finite() && mass > 0.0)
            && body.kind == BodyKind::Dynamic
            && steered.measured.has_mass(&vehicle)
        {
            vehicle.max_force *= mass / vehicle.mass;
            vehicle.mass = mass;
            steered.measured.mass = Some(mass);
        }
        attached.clear();
        let mut has_changed = false;
        E::for_each_collider(entity, &hierarchy, |collider| {
            let is_body = collider == entity;
            // Mostly a body is its own collider, which need not be looked up.
            let state = match &own_collider {
                Some(own) if is_body => Some(E::collider(own)),
                _ => colliders.get(collider).ok().map(|other| E::collider(&other)),
            };
            let Some(state) = state.filter(|state| !(state.is_sensor || state.is_disabled)) else {
                return;
            };
            has_changed |= state.has_changed;
            let pose =
                if is_body { Pose::default() } else { E::pose_in_body(collider, &hierarchy) };
            attached.push((collider, pose));
        });
        if attached == steered.measured.colliders && !has_changed {
            continue;
        }
        steered.measured.colliders.clone_from(&attached);
        let parts: Vec<Part> = attached
            .iter()
            .filter_map(|(collider, pose)| Some((colliders.get(*collider).ok()?, *pose)))
            .flat_map(|(collider, Pose { position, rotation })| {
                let parts = E::parts(&collider, None);
                parts.into_iter().map(move |part| part.moved(position, rotation))
            })
            .collect();
        let Some(reach) = Reach::of(&parts, plane) else { continue };
        if steered.measured.has_radius(&vehicle) {
            vehicle.radius = reach.radius;
            steered.measured.radius = Some(reach.radius);
        }
        let is_on_ground = plane == SteeringPlane::Xz && reach.height > 0.0;
        if is_on_ground && steered.measured.has_height(height) {
            let height = 2.0 * HEIGHT * reach.height;
            commands.entity(entity).try_insert(SteeringHeight(height));
            steered.measured.height = Some(height);
        }
    }
}
