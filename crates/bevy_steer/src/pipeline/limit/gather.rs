//! Collects the limits that behaviours add.

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        velocity_limits::VelocityLimits,
    },
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{
        batch::{BatchStrategy, BehaviorContext, LimitBatch},
        behavior_params::BehaviorParams,
        limit::one::{limit_one, limit_rows},
    },
};

/// The agents with a behaviour that adds limits.
type Limited<'w, 's, C> = Query<'w, 's, (AgentData, &'static mut C, &'static mut VelocityLimits)>;

/// Asks one behaviour for its limits on all agents that have it, once or several times.
pub(crate) fn gather_limits<B: SteeringBehavior, M: BatchStrategy<B>>(
    mut agents: ParamSet<(Limited<B>, Limited<Several<B>>)>,
    params: BehaviorParams<B>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    let mut single = agents.p0();
    if B::STORAGE_TYPE == StorageType::Table {
        for_each_piece(columns(&mut single), |count, (agents, behaviors, limits)| {
            let agents = agents.with_default(context.tick.settings.plane).first(count);
            let batch = LimitBatch { agents, behaviors, limits };
            if agents.are_plain() {
                M::limit_batch(batch, context);
            } else {
                limit_rows(batch, context);
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
