//! The limits that behaviours give.

use bevy::{
    ecs::{
        component::{Mutable, StorageType},
        system::StaticSystemParam,
    },
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        tick_context::Tick,
        velocity_limits::VelocityLimits,
    },
    behavior::{agent::Agent, several::Several, steering_behavior::SteeringBehavior},
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{batch::BehaviorContext, registry::BehaviorRegistry},
};

/// The agents with a component that limits.
type Limited<'w, 's, C> = Query<'w, 's, (AgentData, &'static mut C, &'static mut VelocityLimits)>;

/// Asks one behaviour for its limits on all agents that have it, once or several times.
pub(crate) fn gather_limits<B: SteeringBehavior>(
    mut agents: ParamSet<(Limited<B>, Limited<Several<B>>)>,
    world: StaticSystemParam<B::Param>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let (world, tick) = (world.into_inner(), tick.borrow());
    let context = BehaviorContext::new(&world, registry.index_of::<B>(), tick);
    let mut single = agents.p0();
    if B::STORAGE_TYPE == StorageType::Table {
        for_each_piece(columns(&mut single), |count, (agents, behaviors, limits)| {
            for row in 0..count {
                let parts = agents.row::<false>(row);
                limit_one(&parts, &mut behaviors[row], &mut limits[row], context);
            }
        });
    } else {
        for (parts, mut behavior, mut limits) in &mut single {
            let limits = limits.bypass_change_detection();
            limit_one(&parts.into(), behavior.bypass_change_detection(), limits, context);
        }
    }
    for_each_piece(columns(&mut agents.p1()), |count, (agents, several, limits)| {
        for row in 0..count {
            let parts = agents.row::<false>(row);
            for (place, behavior) in several[row].iter_mut().enumerate() {
                let context = BehaviorContext { place: Some(place), ..context };
                limit_one(&parts, behavior, &mut limits[row], context);
            }
        }
    });
}

/// The columns of tables of agents.
fn columns<'a, C: Component<Mutability = Mutable>>(
    agents: &'a mut Limited<C>,
) -> Vec<(usize, (AgentColumns<'a>, &'a mut [C], &'a mut [VelocityLimits]))> {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let columns = tables.map(|(agents, behaviors, limits)| {
        let agents = AgentColumns::from(agents);
        (agents.len(), (agents, untracked(behaviors), untracked(limits)))
    });
    columns.collect()
}

#[inline(always)]
fn limit_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    limits: &mut VelocityLimits,
    BehaviorContext { world, index, place, tick }: BehaviorContext<B>,
) {
    if !limits.is_open || !behavior.is_enabled() {
        return;
    }
    let mut agent = Agent::new(parts, index, tick);
    agent.place = place;
    agent.goes_straight = limits.goes_straight;
    limits.begin(index, place);
    behavior.limits(&agent, world, limits);
    if core::mem::take(&mut limits.is_invalid) {
        let problem = "gave a limit that is not finite or has no direction in the agent's plane: \
                       it is left out in such ticks";
        tick.invalid_input.warn(parts.entity, B::name(), problem);
    }
}
