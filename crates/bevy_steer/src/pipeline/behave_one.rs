//! Steers one agent by one behaviour.

use bevy::prelude::*;

use crate::{
    agent::{columns::AgentParts, contributions::Stage, invalid_input::InvalidInputLog},
    behavior::{agent::Agent, steering_behavior::SteeringBehavior},
    pipeline::{
        batch::{BehaviorContext, Output},
        parameters::invalid_number,
        trace::Contribution,
    },
    space::vector::is_valid,
};

/// Calls the behaviour for an agent that has been validated, and adds the result to its requests.
#[inline(always)]
pub(crate) fn steer_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    Output { contributions, tiers, angular, trace }: Output,
    BehaviorContext { params, index, place, tick }: BehaviorContext<B>,
) {
    if contributions.stage() != Stage::Active || !behavior.blend().enabled {
        return;
    }
    let mut agent = Agent::new(parts, index, tick);
    agent.place = place;
    agent.goes_straight = contributions.goes_straight();
    // An agent with nothing else to do is idle.
    let counts = behavior.blend().weight != 0.0;
    let steering = behavior.steer(&agent, params);
    let blend = *behavior.blend();
    let change = steering.linear.map(|change| agent.plane.flatten(change * blend.weight));
    let turning = steering.angular.map(|change| change * blend.weight);
    if !(change.is_none_or(is_valid) & turning.is_none_or(is_valid)) {
        warn_invalid_wish(parts.entity, behavior, tick.invalid_input);
        return;
    }
    let tier = blend.priority.unwrap_or(B::PRIORITY);
    if let Some(change) = change {
        contributions.add(tiers, change, tier);
        if B::DRIVES && counts {
            contributions.drive();
        }
    }
    if counts {
        contributions.cruise_at(behavior.cruise());
    }
    if let (Some(change), Some(angular)) = (turning, angular) {
        angular.add(agent.plane.flatten_turn(change), tier);
    }
    if let Some(trace) = trace {
        trace.note(Contribution {
            behavior: index,
            place,
            correction: agent.plane.flatten(steering.linear.unwrap_or_default()),
            angular: steering.angular.map(|change| agent.plane.flatten_turn(change)),
            weight: blend.weight,
            priority: tier,
            ..Contribution::default()
        });
    }
}

/// Warns of a request that is not [valid](is_valid), unless an invalid parameter explains it.
#[cold]
#[inline(never)]
pub(crate) fn warn_invalid_wish<B: SteeringBehavior>(
    entity: Entity,
    behavior: &B,
    invalid_input: &InvalidInputLog,
) {
    // Invalid parameters have been named when they were set.
    if invalid_number(behavior.as_partial_reflect()).is_none() {
        let problem = "asked for a change of velocity that is NaN or beyond ±1e9: \
                       its request is left out in such ticks";
        invalid_input.warn(entity, B::name(), problem);
    }
}
