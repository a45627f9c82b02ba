//! Collects the limits that behaviours add.

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        surface_slot::SurfaceTick,
        tick_context::TickRef,
        velocity_limits::VelocityLimits,
    },
    behavior::{
        agent::Agent, near_surfaces::SurfaceLists, several::Several,
        steering_behavior::SteeringBehavior,
    },
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{batch::BehaviorContext, behavior_params::BehaviorParams},
};

/// The agents with a behaviour that adds limits.
type Limited<'w, 's, C> = Query<'w, 's, (AgentData, &'static mut C, &'static mut VelocityLimits)>;

/// Asks one behaviour for its limits on all agents that have it, once or several times.
pub(crate) fn gather_limits<B: SteeringBehavior>(
    mut agents: ParamSet<(Limited<B>, Limited<Several<B>>)>,
    params: BehaviorParams<B>,
    surfaces: Res<SurfaceLists>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    // Most agents are near nothing, and their limits need not be looked at.
    let near = B::LIMITS_BY_SURFACES.then_some(surfaces.tick);
    let gather = |parts: &AgentParts, behavior: &mut B, limits: &mut VelocityLimits| {
        limit_one(parts, behavior, limits, context);
    };
    if B::STORAGE_TYPE == StorageType::Table {
        gather_columns(&mut agents.p0(), near, context.tick, gather);
    } else {
        for (parts, mut behavior, mut limits) in &mut agents.p0() {
            let limits = limits.bypass_change_detection();
            gather(&parts.into(), behavior.bypass_change_detection(), limits);
        }
    }
    gather_columns(&mut agents.p1(), near, context.tick, |parts, several, limits| {
        for (place, behavior) in several.iter_mut().enumerate() {
            limit_one(parts, behavior, limits, BehaviorContext { place: Some(place), ..context });
        }
    });
}

/// Calls `gather` for the agents in tables, or only for those near a surface in this tick.
fn gather_columns<C: Component<Mutability = Mutable>>(
    agents: &mut Limited<C>,
    near: Option<SurfaceTick>,
    tick: TickRef,
    gather: impl Fn(&AgentParts, &mut C, &mut VelocityLimits) + Sync,
) {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let tables = tables.map(|(agents, behaviors, limits)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, untracked(behaviors), untracked(limits)))
    });
    for_each_piece(tables.collect(), |count, (agents, behaviors, limits)| {
        let agents = agents.with_default(tick.settings.plane).first(count);
        let is_near =
            |row: usize, tick| agents.surfaces.is_some_and(|slots| slots[row].has_any(tick));
        let may_limit = |&row: &usize| near.is_none_or(|tick| is_near(row, tick));
        for row in (0..count).filter(may_limit) {
            gather(&agents.row::<false>(row), &mut behaviors[row], &mut limits[row]);
        }
    });
}

/// Asks for the limits on one agent.
#[inline]
fn limit_one<B: SteeringBehavior>(
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
