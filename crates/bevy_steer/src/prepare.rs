//! [`SteeringSystems::Prepare`](crate::SteeringSystems::Prepare): a clean slate, and a look at whether it all makes sense.

use bevy::prelude::*;

use crate::{
    arbitration::{AngularContributions, Contributions},
    parallel::for_each_agent,
    plane::SteeringPlane,
    tick::Tick,
    vehicle::{AngularVelocity, Heading, Vehicle, Velocity},
};

/// How far from one the squared length of a heading may be.
const HEADING_TOLERANCE: f32 = 1e-3;

pub(crate) fn prepare_agents(
    mut agents: Query<(
        Entity,
        &Transform,
        &Velocity,
        &mut Heading,
        &Vehicle,
        Option<&SteeringPlane>,
        &mut Contributions,
        Option<(&AngularVelocity, &mut AngularContributions)>,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    for_each_agent(
        agents.reborrow(),
        |(entity, transform, velocity, mut heading, vehicle, plane, mut contributions, angular)| {
            let senseless = if !transform.translation.is_finite() {
                Some("Transform.translation")
            } else if !velocity.is_finite() {
                Some("Velocity")
            } else if angular.as_ref().is_some_and(|(w, _)| !w.is_finite()) {
                Some("AngularVelocity")
            } else {
                vehicle.invalid_field()
            };
            if let Some(field) = senseless {
                tick.offences.warn(
                    entity,
                    field,
                    "makes no sense (zero mass, negative or not finite)",
                );
            }
            let plane = plane.copied().unwrap_or(tick.settings.plane);
            let mended = unit_heading(plane, heading.0, transform.rotation);
            if mended != heading.0 {
                heading.0 = mended;
            }
            contributions.bypass_change_detection().clear(senseless.is_none());
            if let Some((_, mut angular)) = angular {
                angular.bypass_change_detection().clear();
            }
        },
    );
}

/// The heading as a unit vector in the plane; from the rotation where there is none yet.
fn unit_heading(plane: SteeringPlane, heading: Vec3, rotation: Quat) -> Vec3 {
    let flat = plane.flatten(heading);
    let squared = flat.length_squared();
    if (squared - 1.0).abs() < HEADING_TOLERANCE {
        flat
    } else if let Some(unit) = flat.try_normalize() {
        unit
    } else if rotation.is_finite() {
        plane.heading(rotation)
    } else {
        plane.forward()
    }
}
