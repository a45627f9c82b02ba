//! The drawings of behaviours, collected for display.

use bevy::{ecs::entity::EntityHashSet, prelude::*};

use crate::{
    agent::{AgentData, AgentParts, Contributions, EventQueue, TickRef},
    behavior::{Agent, DebugDraw, DebugLayer, DebugShape, Several, SteeringBehavior},
    pipeline::behave::{BehaviorContext, BehaviorParams},
    space::SteeringPlane,
};

/// The drawings of behaviours in this frame. While the resource exists, registered behaviours draw
/// themselves in [`CollectDrawings`].
#[derive(Resource, Debug, Default)]
pub(crate) struct DebugDrawings {
    /// The layers that are displayed.
    pub parts: Vec<DebugLayer>,
    /// The indices of the behaviours that are not displayed.
    pub hidden: Vec<usize>,
    /// The agents that are displayed; `None` for all.
    pub only: Option<EntityHashSet>,
    pub shapes: Vec<DrawnShape>,
}

/// One shape that a behaviour drew for one agent.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "gizmos"), allow(dead_code, reason = "gizmos are what displays them"))]
pub(crate) struct DrawnShape {
    /// The index of the behaviour in the registry.
    pub behavior: usize,
    /// The plane of the agent.
    pub plane: SteeringPlane,
    /// The radius of the agent, in units.
    pub radius: f32,
    pub part: DebugLayer,
    pub shape: DebugShape,
}

/// The systems in `PostUpdate` in which behaviours draw themselves.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CollectDrawings;

/// The time step for drawings while no time passes, in seconds.
const PAUSED_TIME_STEP: f32 = 1.0 / 64.0;

/// Draws the behaviour `B` of each agent.
pub(crate) fn collect_drawings<B: SteeringBehavior>(
    agents: Query<
        (AgentData, &Contributions, Option<&B>, Option<&Several<B>>),
        Or<(With<B>, With<Several<B>>)>,
    >,
    params: BehaviorParams<B>,
    mut drawings: ResMut<DebugDrawings>,
    mut draw: Local<DebugDraw>,
    mut discarded_events: Local<EventQueue>,
) {
    let drawings = &mut *drawings;
    let BehaviorContext { params, index, tick, .. } = params.context();
    if drawings.hidden.contains(&index) {
        return;
    }
    *draw = DebugDraw::of(drawings.parts.iter().copied());
    let dt = if tick.dt > 0.0 { tick.dt } else { PAUSED_TIME_STEP };
    for (data, contributions, one, several) in &agents {
        let parts = AgentParts::from(data);
        let is_shown = drawings.only.as_ref().is_none_or(|only| only.contains(&parts.entity));
        if !(contributions.is_valid() && is_shown) {
            continue;
        }
        let tick = TickRef { dt, events: &discarded_events, ..tick };
        let agent = Agent::new(&parts, index, tick);
        let several = several.into_iter().flat_map(|several| &several.0);
        let enabled = one.into_iter().chain(several).filter(|one| one.is_enabled());
        enabled.for_each(|one| one.debug_draw(&agent, params, &mut draw));
        let (plane, radius) = (agent.plane, agent.vehicle.radius);
        drawings.shapes.extend(draw.shapes().iter().map(|&(part, shape)| DrawnShape {
            behavior: index,
            plane,
            radius,
            part,
            shape,
        }));
        draw.clear();
    }
    *discarded_events = EventQueue::default();
}
