//! The drawing of an agent that does not depend on its behaviours.

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentData, AgentDataItem},
        contributions::Contributions,
        tick_context::{Tick, TickRef},
        vehicle::{SteeringForce, Vehicle},
    },
    behavior::agent::Agent,
    debug::gizmos::{
        config::{HideSteeringTrace, ShowSteeringGizmos, SteeringGizmos},
        shapes::Pen,
    },
    pipeline::{registry::BehaviorRegistry, trace::SteeringTrace},
};

/// An agent as the gizmos see it.
pub(super) type DrawnAgent = (AgentData, &'static Contributions, Has<ShowSteeringGizmos>);

/// This agent, if its gizmos are drawn.
pub(super) fn drawn<'a>(
    (data, contributions, is_marked): (AgentDataItem<'a, '_>, &Contributions, bool),
    config: &SteeringGizmos,
    tick: TickRef<'a>,
) -> Option<Agent<'a>> {
    if !contributions.is_valid() || !config.shows(is_marked) {
        return None;
    }
    let agent = Agent::new(&data.into(), usize::MAX, tick);
    agent.position.is_finite().then_some(agent)
}

pub(crate) fn draw_agents(
    agents: Query<(DrawnAgent, &SteeringForce)>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    let &SteeringGizmos { force, velocity, heading, body, reach, .. } = config;
    if [force, velocity, heading, body].iter().all(Option::is_none) {
        return;
    }
    let tick = tick.borrow();
    for (agent, steering) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let (from, vehicle) = (agent.position, agent.vehicle);
        let mut pen = Pen::new(&mut gizmos, agent.plane, vehicle.radius);
        if let Some(color) = body {
            pen.circle(from, vehicle.radius, color);
        }
        if let Some(color) = heading {
            pen.arrow(from, from + agent.heading() * (2.0 * vehicle.radius), color);
        }
        if let Some(color) = velocity {
            pen.arrow(from, from + agent.velocity * reach, color);
        }
        if let Some(color) = force {
            pen.arrow(from, from + steering.linear * force_scale(vehicle, reach), color);
        }
    }
}

/// Draws the part of each request that got through arbitration.
pub(crate) fn draw_traces(
    agents: Query<(DrawnAgent, &SteeringTrace), Without<HideSteeringTrace>>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    let tick = tick.borrow();
    for (agent, trace) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let scale = force_scale(agent.vehicle, config.reach);
        let mut pen = Pen::new(&mut gizmos, agent.plane, agent.vehicle.radius);
        for contribution in trace.iter() {
            let own = config.color_of(&registry, contribution.behavior);
            if let Some(color) = own.and_then(|own| config.requests.color(own)) {
                let tip = agent.position + contribution.passed * scale;
                if tip.is_finite() {
                    pen.arrow(agent.position, tip, color);
                }
            }
        }
    }
}

/// Units of length per unit of force.
fn force_scale(vehicle: &Vehicle, reach: f32) -> f32 {
    let Vehicle { max_speed, max_force, .. } = *vehicle;
    if max_force > 0.0 { reach * max_speed / max_force } else { 0.0 }
}
