//! The system of each behaviour.

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        contributions::{AngularContributions, Contributions, TierSums},
    },
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    ecs::{columns::untracked, parallel::for_each_piece},
    pipeline::{
        batch::{BatchStrategy, BehaviorBatch, BehaviorContext, Output, OutputColumns},
        behave_one::steer_one,
        behavior_params::BehaviorParams,
        trace::SteeringTrace,
        validate::validate_one,
    },
};

/// The agents with a component that steers, and where their requests go.
type Steered<'w, 's, C> = Query<
    'w,
    's,
    (
        AgentData,
        &'static mut C,
        &'static mut Contributions,
        &'static mut TierSums,
        Option<&'static mut AngularContributions>,
        Option<&'static mut SteeringTrace>,
    ),
>;

/// Runs one behaviour for all agents that have it, once or several times.
pub(crate) fn steer_agents<B: SteeringBehavior, M: BatchStrategy<B>>(
    mut agents: ParamSet<(Steered<B>, Steered<Several<B>>)>,
    params: BehaviorParams<B>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    steer_each::<B, M>(agents.p0(), context);
    steer_several(agents.p1(), context);
}

fn steer_each<B: SteeringBehavior, M: BatchStrategy<B>>(
    mut agents: Steered<B>,
    context: BehaviorContext<B>,
) {
    // Without change detection: a game need not react to the internal state of a behaviour.
    if B::STORAGE_TYPE == StorageType::Table {
        for_each_piece(columns(&mut agents), |_, (agents, behaviors, outputs)| {
            let agents = agents.with_default(context.tick.settings.plane);
            let batch = BehaviorBatch { agents, behaviors, outputs };
            if batch.agents.are_plain() && batch.outputs.are_plain() {
                M::steer_batch(batch, context);
            } else {
                steer_rows::<B, false>(batch, context);
            }
        });
    } else {
        for (parts, mut behavior, mut contributions, mut tiers, mut angular, mut trace) in
            &mut agents
        {
            let parts = AgentParts::from(parts);
            let contributions = contributions.bypass_change_detection();
            validate_one(&parts, contributions, context.tick);
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

/// The columns of tables of agents.
fn columns<'a, C: Component<Mutability = Mutable>>(
    agents: &'a mut Steered<C>,
) -> Vec<(usize, (AgentColumns<'a>, &'a mut [C], OutputColumns<'a>))> {
    let tables = agents.contiguous_iter_mut().into_iter().flatten();
    let columns = tables.map(|(agents, behaviors, contributions, tiers, angular, traces)| {
        let agents = AgentColumns::from(agents);
        let outputs = OutputColumns {
            contributions: untracked(contributions),
            tiers: untracked(tiers),
            angular: angular.map(untracked),
            traces: traces.map(untracked),
        };
        (agents.len(), (agents, untracked(behaviors), outputs))
    });
    columns.collect()
}

/// Runs the behaviours of agents that have several of this kind.
fn steer_several<B: SteeringBehavior>(
    mut agents: Steered<Several<B>>,
    context: BehaviorContext<B>,
) {
    for_each_piece(columns(&mut agents), |count, (agents, several, mut outputs)| {
        for (row, several) in several[..count].iter_mut().enumerate() {
            let parts = agents.row::<false>(row);
            validate_one(&parts, &mut outputs.contributions[row], context.tick);
            for (place, behavior) in several.iter_mut().enumerate() {
                let context = BehaviorContext { place: Some(place), ..context };
                steer_one(&parts, behavior, outputs.row::<false>(row), context);
            }
        }
    });
}

/// The strategy of most behaviours: steers agents one by one.
pub(crate) struct Scalar;

impl<B: SteeringBehavior> BatchStrategy<B> for Scalar {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>) {
        steer_rows::<B, true>(batch, context);
    }
}

/// Compiled once for agents without rare components (`PLAIN`), and once for the others.
fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(
    batch: BehaviorBatch<B>,
    context: BehaviorContext<B>,
) {
    let BehaviorBatch { agents, behaviors, mut outputs } = batch;
    let count = agents.len();
    let (agents, behaviors) = (agents.first(count), &mut behaviors[..count]);
    outputs.contributions = &mut outputs.contributions[..count];
    outputs.tiers = &mut outputs.tiers[..count];
    for (row, behavior) in behaviors.iter_mut().enumerate() {
        let (parts, output) = (agents.row::<PLAIN>(row), outputs.row::<PLAIN>(row));
        validate_one(&parts, output.contributions, context.tick);
        steer_one(&parts, behavior, output, context);
    }
}
