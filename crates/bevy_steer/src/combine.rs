//! [`SteeringSystems::Combine`](crate::SteeringSystems::Combine): wishes become one force.

use bevy::prelude::*;

use crate::{
    arbitration::{AngularContributions, Arbitration, Contributions},
    number::AgentNumber,
    parallel::for_each_agent,
    plane::SteeringPlane,
    tick::Tick,
    vector::truncate,
    vehicle::{AngularVelocity, SteeringForce, Vehicle},
};

pub(crate) fn combine_contributions(
    mut agents: Query<(
        Entity,
        &AgentNumber,
        &Vehicle,
        &Contributions,
        Option<(&AngularVelocity, &AngularContributions, Option<&SteeringPlane>)>,
        Option<&mut Arbitration>,
        &mut SteeringForce,
    )>,
    tick: Tick,
) {
    let tick = tick.borrow();
    for_each_agent(
        agents.reborrow(),
        |(entity, &number, vehicle, contributions, angular, mut mode, mut force)| {
            let mut combined = SteeringForce::default();
            if contributions.fit {
                let response = vehicle.response.max(tick.dt);
                let budget = vehicle.max_acceleration() * response;
                let mode = mode.as_mut().map(Mut::bypass_change_detection);
                if let Some((&AngularVelocity(spin), angular, plane)) = angular {
                    let plane = plane.copied().unwrap_or(tick.settings.plane);
                    let change = angular.arbitrate(mode.as_deref(), plane.flatten_turn(spin));
                    combined.angular = change / response;
                }
                let change = contributions.arbitrate(mode, budget, tick.settings.seed, number);
                combined.linear = truncate(change * (vehicle.mass / response), vehicle.max_force);
                if !(combined.linear.is_finite() && combined.angular.is_finite()) {
                    tick.offences.warn(entity, "SteeringForce", "is not finite");
                    combined = SteeringForce::default();
                }
            }
            force.set_if_neq(combined);
        },
    );
}
