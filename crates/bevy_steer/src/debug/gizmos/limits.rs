//! Drawings of what limits took of the requested velocities.

use bevy::prelude::*;

use crate::{
    agent::{tick_context::Tick, velocity_limits::VelocityLimits},
    behavior::debug_draw::DebugLayer,
    debug::gizmos::{
        agents::{DrawnAgent, drawn},
        config::{HideSteeringTrace, Paint, SteeringGizmos},
        shapes::Pen,
    },
    pipeline::{
        registry::BehaviorRegistry,
        trace::SteeringTrace,
        traced_limit::{TracedLimit, limit_parts},
    },
};

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
