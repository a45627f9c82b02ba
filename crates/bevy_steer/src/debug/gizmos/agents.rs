//! The drawing of an agent that does not depend on its behaviours, and of what limits took of its
//! requested velocity.

use bevy::{ecs::query::QueryItem, prelude::*};

use crate::{
    agent::{AgentData, Contributions, SteeringForce, Tick, TickRef, Vehicle, VelocityLimits},
    behavior::{Agent, DebugLayer},
    debug::gizmos::{
        config::{HideSteeringTrace, Paint, ShowSteeringGizmos, SteeringGizmos},
        shapes::Pen,
    },
    pipeline::{
        registry::BehaviorRegistry,
        trace::{SteeringTrace, TracedLimit, limit_parts},
    },
};

/// An agent as the gizmos see it.
type DrawnAgent = (AgentData, &'static Contributions, Has<ShowSteeringGizmos>);

/// This agent, if its gizmos are drawn.
fn drawn<'a>(
    (data, contributions, is_marked): QueryItem<'a, '_, DrawnAgent>,
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

/// The colour of parts that do not belong to a single behaviour.
const LIMITED: Color = Color::srgb(0.94, 0.70, 0.24);

/// The opacity of faint parts.
const FAINT: f32 = 0.4;

pub(crate) fn draw_limits(
    agents: Query<(DrawnAgent, &VelocityLimits, Option<&SteeringTrace>, Has<HideSteeringTrace>)>,
    places: Query<&GlobalTransform>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
    mut gizmos: Gizmos<SteeringGizmos>,
) {
    let config = gizmos.config_ext;
    if config.limits == Paint::Off {
        return;
    }
    let tick = tick.borrow();
    let paint = |own: Color, share: f32| {
        let color = config.strength(DebugLayer::Limit, config.limits.color(own)?);
        Some(color.with_alpha(color.alpha() * share))
    };
    for (agent, limits, trace, is_hidden) in &agents {
        let Some(agent) = drawn(agent, config, tick) else { continue };
        let from = agent.position;
        let mut all = match trace.filter(|_| !is_hidden) {
            Some(trace) => trace.limits().copied().collect(),
            None => limit_parts(limits, agent.vehicle.max_speed),
        };
        all.retain(|limit| limit.taken != Vec3::ZERO);
        if all.is_empty() {
            continue;
        }
        let mut pen = Pen::new(&mut gizmos, agent.plane, agent.vehicle.radius);
        let tip = |velocity: Vec3| from + velocity * config.reach;
        let permitted = limits.permitted();
        for (velocity, share) in [(limits.requested(), FAINT), (permitted, 1.0)] {
            if let Some(color) = paint(LIMITED, share).filter(|_| tip(velocity).is_finite()) {
                pen.arrow(from, tip(velocity), color);
            }
        }
        for TracedLimit { behavior, source, normal, bound, is_hard, .. } in all {
            let is_known = registry.get(behavior).is_some();
            let own = if is_known { config.color_of(&registry, behavior) } else { Some(LIMITED) };
            let edge = tip(permitted + normal * (bound - normal.dot(permitted)));
            let Some(own) = own.filter(|_| edge.is_finite()) else { continue };
            if let Some(color) = paint(own, if is_hard { 1.0 } else { FAINT }) {
                pen.edge(edge, normal, color);
            }
            let place = source.and_then(|source| places.get(source).ok());
            let place = place.map(GlobalTransform::translation).filter(|place| place.is_finite());
            if let Some((place, color)) = place.zip(paint(own, FAINT)) {
                pen.line(from, place, color);
            }
        }
    }
}
