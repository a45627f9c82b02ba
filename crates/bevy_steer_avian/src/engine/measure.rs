//! [`Measured`]: the mass, radius and height of an agent come from its body.

use bevy::prelude::*;
use bevy_steer::{SteeringHeight, SteeringPlane, SteeringSettings, Vehicle};

use crate::part::{Part, Reach};

use super::{avian::prelude::*, bodies::SteeredBody, shapes::parts_of, space};

/// What this crate has set of an agent. Anything else is the game's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measured {
    mass: Option<f32>,
    radius: Option<f32>,
    /// Whether its colliders have been looked at.
    colliders: bool,
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
}

/// Not its lowest and highest twentieth: the floor on which it stands is not in its way.
const HEIGHT: f32 = 0.9;

/// Measures the bodies that have changed.
pub(super) fn measure_bodies(
    mut commands: Commands,
    mut agents: Query<(
        Entity,
        (&RigidBody, Ref<ComputedMass>, Option<Ref<RigidBodyColliders>>),
        (&mut Vehicle, &mut SteeredBody, Option<&SteeringPlane>, Has<SteeringHeight>),
    )>,
    colliders: Query<(Ref<Collider>, Option<Ref<ColliderTransform>>)>,
    settings: Res<SteeringSettings>,
) {
    for (entity, (body, mass, of_body), agent) in &mut agents {
        let (mut vehicle, mut steered, plane, has_height) = agent;
        let plane = plane.copied().unwrap_or(settings.plane);
        if body.is_dynamic() && (mass.is_changed() || steered.is_added()) {
            let value = mass.value();
            let is_legal = mass.is_finite() && value > 0.0;
            if is_legal && steered.measured.has_mass(&vehicle) && value != vehicle.mass {
                vehicle.max_force *= value / vehicle.mass;
                vehicle.mass = value;
                steered.measured.mass = Some(value);
            }
        }
        let Some(of_body) = of_body else { continue };
        let attached = || of_body.iter().filter_map(|collider| colliders.get(collider).ok());
        let have_changed = || {
            attached().any(|(collider, pose)| {
                collider.is_changed() || pose.is_some_and(|pose| pose.is_changed())
            })
        };
        if steered.measured.colliders && !of_body.is_changed() && !have_changed() {
            continue;
        }
        steered.measured.colliders = true;
        let parts: Vec<Part> = attached()
            .flat_map(|(collider, pose)| {
                let pose = pose.map(|pose| *pose).unwrap_or_default();
                let offset = space::to_world(pose.translation);
                let rotation = space::rotation(pose.rotation.into());
                let parts = parts_of(collider.shape_scaled(), None);
                parts.into_iter().map(move |part| part.moved(offset, rotation))
            })
            .collect();
        let Some(reach) = Reach::of(&parts, plane) else { continue };
        if steered.measured.has_radius(&vehicle) {
            vehicle.radius = reach.radius;
            steered.measured.radius = Some(reach.radius);
        }
        if plane == SteeringPlane::Xz && !has_height && reach.height > 0.0 {
            commands.entity(entity).try_insert(SteeringHeight(2.0 * HEIGHT * reach.height));
        }
    }
}
