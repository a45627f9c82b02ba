//! What must be done sooner than a wish: keeping a body out of what it would touch.

use crate::{behavior::agent::Agent, behaviors::arrive::stoppable_speed};

/// A body feels this much larger than it is, so that it stops short of what it must not touch.
const BODY: f32 = 1.2;

/// What is urgent is done in this share of the response time.
const SHARE: f32 = 1.0 / 3.0;

/// An urgent change takes more than a tick, or what several agents do at once would be too much, and they would tremble.
const TICKS: f32 = 1.5;

/// By how much to multiply an urgent change of velocity, so that it is made in a third of the response time. Without it the
/// tiers below, which ask again in every tick for what is being prevented, would have too much of their way.
pub(super) fn urgency(agent: &Agent) -> f32 {
    let response = agent.response();
    response / (response * SHARE).max(agent.dt * TICKS).min(response)
}

/// How fast an agent may come nearer to a surface that is `gap` units from its centre: so fast that it can stop before its body
/// touches. Below zero where it touches already.
pub(super) fn approach_speed(agent: &Agent, gap: f32) -> f32 {
    let room = gap - agent.vehicle.radius * BODY;
    if room >= 0.0 {
        stoppable_speed(room, agent.vehicle.max_acceleration(), agent.response())
    } else {
        room / agent.response()
    }
}

/// How far away, in units, a surface begins to limit an agent in its speed.
pub(super) fn approach_reach(agent: &Agent) -> f32 {
    let speed = agent.velocity.length();
    let braking = 0.5 * speed * speed / agent.vehicle.max_acceleration();
    agent.vehicle.radius * BODY + speed * agent.response() + braking
}
