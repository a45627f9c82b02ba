//! The system of each behaviour.

use bevy::{
    ecs::{component::StorageType, system::StaticSystemParam},
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        contributions::{AngularContributions, Contributions, TierSums},
        tick_context::Tick,
    },
    behavior::steering_behavior::SteeringBehavior,
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{
        batch::{BatchStrategy, BehaviorBatch, BehaviorContext, Output, OutputColumns},
        behave_one::steer_one,
        behave_scalar::steer_rows,
        registry::BehaviorRegistry,
        trace::SteeringTrace,
        validate::validate_one,
    },
};

/// Runs one behaviour for all agents that have it.
pub(crate) fn steer_agents<B: SteeringBehavior, M: BatchStrategy<B>>(
    mut agents: Query<(
        AgentData,
        &mut B,
        &mut Contributions,
        &mut TierSums,
        Option<&mut AngularContributions>,
        Option<&mut SteeringTrace>,
    )>,
    world: StaticSystemParam<B::Param>,
    registry: Res<BehaviorRegistry>,
    tick: Tick,
) {
    if agents.is_empty() {
        return;
    }
    let index = registry.index_of::<B>();
    let world = world.into_inner();
    let tick = tick.borrow();
    // What a behaviour remembers between ticks is not a change that a game would react to: nothing
    // is marked as changed.
    if B::STORAGE_TYPE == StorageType::Table {
        let tables = agents.contiguous_iter_mut().into_iter().flatten().map(
            |(agents, behaviors, contributions, tiers, angular, traces)| {
                let agents = AgentColumns::from(agents);
                let outputs = OutputColumns {
                    contributions: untracked(contributions),
                    tiers: untracked(tiers),
                    angular: angular.map(untracked),
                    traces: traces.map(untracked),
                };
                (agents.len(), (agents, untracked(behaviors), outputs))
            },
        );
        for_each_piece(tables.collect(), |_, (agents, behaviors, outputs)| {
            let batch = BehaviorBatch { agents, behaviors, outputs };
            let context = BehaviorContext { world: &world, index, tick };
            if batch.agents.are_plain() && batch.outputs.are_plain() {
                M::steer_batch(batch, context);
            } else {
                steer_rows::<B, false>(batch, context);
            }
        });
    } else {
        let context = BehaviorContext { world: &world, index, tick };
        for (parts, mut behavior, mut contributions, mut tiers, mut angular, mut trace) in
            &mut agents
        {
            let parts = AgentParts::from(parts);
            let contributions = contributions.bypass_change_detection();
            validate_one(&parts, contributions, tick);
            let output = Output {
                contributions,
                tiers: tiers.bypass_change_detection(),
                angular: angular.as_mut().map(Mut::bypass_change_detection),
                trace: trace.as_mut().map(Mut::bypass_change_detection),
            };
            steer_one(&parts, behavior.bypass_change_detection(), output, context);
        }
    }
}
