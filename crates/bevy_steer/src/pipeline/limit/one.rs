//! Asks a behaviour for its limits on one agent after the other.

use crate::{
    agent::{columns::AgentParts, velocity_limits::VelocityLimits},
    behavior::{agent::Agent, steering_behavior::SteeringBehavior},
    pipeline::batch::BehaviorContext,
};

/// Asks for the limits on one agent.
#[inline(always)]
pub(crate) fn limit_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    limits: &mut VelocityLimits,
    BehaviorContext { params, index, place, tick }: BehaviorContext<B>,
) {
    if !limits.is_open || !behavior.is_enabled() {
        return;
    }
    let mut agent = Agent::new(parts, index, tick);
    agent.place = place;
    agent.goes_straight = limits.goes_straight;
    limits.begin(index, place);
    behavior.limits(&agent, params, limits);
    if core::mem::take(&mut limits.is_invalid) {
        let problem = "gave a limit that is not finite or has no direction in the agent's plane: \
                       it is left out in such ticks";
        tick.invalid_input.warn(parts.entity, B::name(), problem);
    }
}
