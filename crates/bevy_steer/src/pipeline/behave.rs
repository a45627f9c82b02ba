//! The one system that runs each behaviour.

use bevy::{
    ecs::{
        component::StorageType,
        system::{StaticSystemParam, SystemParamItem},
    },
    prelude::*,
};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData, AgentParts},
        contributions::{AngularContributions, Contributions, Stage, TierSums},
        invalid_input::InvalidInputLog,
        tick_context::{Tick, TickRef},
    },
    behavior::{agent::Agent, steering_behavior::SteeringBehavior},
    ecs::{
        columns::{Columns, columns_for_struct, untracked},
        parallel::for_each_piece,
    },
    pipeline::{
        parameters::first_nan,
        registry::BehaviorRegistry,
        trace::{Contribution, SteeringTrace},
        validate::{validate, validate_one},
    },
    space::vector::is_finite,
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
    // State that a behaviour keeps between ticks is not a change that anybody waits for.
    if B::STORAGE_TYPE == StorageType::Table {
        let tables = agents.contiguous_iter_mut().into_iter().flatten().map(
            |(agents, behaviors, contributions, tiers, angular, traces)| {
                let agents = AgentColumns::from(agents);
                let wishes = OutputColumns {
                    contributions: untracked(contributions),
                    tiers: untracked(tiers),
                    angular: angular.map(untracked),
                    traces: traces.map(untracked),
                };
                (agents.len(), (agents, untracked(behaviors), wishes))
            },
        );
        for_each_piece(tables.collect(), |_, (agents, behaviors, wishes)| {
            let asked = BehaviorBatch { agents, behaviors, wishes };
            let given = BehaviorContext { world: &world, index, tick };
            if asked.agents.are_plain() && asked.wishes.are_plain() {
                M::steer_batch(asked, given);
            } else {
                steer_rows::<B, false>(asked, given);
            }
        });
    } else {
        let given = BehaviorContext { world: &world, index, tick };
        for (parts, mut behavior, mut contributions, mut tiers, mut angular, mut trace) in
            &mut agents
        {
            let parts = AgentParts::from(parts);
            let contributions = contributions.bypass_change_detection();
            validate_one(&parts, contributions, tick);
            let wish = Output {
                contributions,
                tiers: tiers.bypass_change_detection(),
                angular: angular.as_mut().map(Mut::bypass_change_detection),
                trace: trace.as_mut().map(Mut::bypass_change_detection),
            };
            steer_one(&parts, behavior.bypass_change_detection(), wish, given);
        }
    }
}

/// Some agents with a behaviour.
pub(crate) struct BehaviorBatch<'a, B> {
    pub(crate) agents: AgentColumns<'a>,
    pub(crate) behaviors: &'a mut [B],
    pub(crate) wishes: OutputColumns<'a>,
}

/// Where the wishes of some agents are noted.
pub(crate) struct OutputColumns<'a> {
    pub(crate) contributions: &'a mut [Contributions],
    pub(crate) tiers: &'a mut [TierSums],
    angular: Option<&'a mut [AngularContributions]>,
    traces: Option<&'a mut [SteeringTrace]>,
}

columns_for_struct!(OutputColumns { contributions, tiers, angular, traces });

impl OutputColumns<'_> {
    /// Whether these are only noted where all agents note them.
    fn are_plain(&self) -> bool {
        self.angular.is_none() && self.traces.is_none()
    }

    #[inline(always)]
    fn row<const PLAIN: bool>(&mut self, row: usize) -> Output<'_> {
        let (contributions, tiers) = (&mut self.contributions[row], &mut self.tiers[row]);
        if PLAIN {
            return Output::plain(contributions, tiers);
        }
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
        Output { contributions, tiers, angular, trace }
    }
}

/// The same for one agent.
pub(crate) struct Output<'a> {
    contributions: &'a mut Contributions,
    tiers: &'a mut TierSums,
    angular: Option<&'a mut AngularContributions>,
    trace: Option<&'a mut SteeringTrace>,
}

impl<'a> Output<'a> {
    #[inline(always)]
    pub(crate) fn plain(contributions: &'a mut Contributions, tiers: &'a mut TierSums) -> Self {
        Self { contributions, tiers, angular: None, trace: None }
    }
}

/// What a behaviour is told.
pub(crate) struct BehaviorContext<'a, 'w, 's, B: SteeringBehavior> {
    pub(crate) world: &'a SystemParamItem<'w, 's, B::Param>,
    /// Which behaviour it is.
    pub(crate) index: usize,
    pub(crate) tick: TickRef<'a>,
}

impl<B: SteeringBehavior> Clone for BehaviorContext<'_, '_, '_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: SteeringBehavior> Copy for BehaviorContext<'_, '_, '_, B> {}

/// How a behaviour goes over agents that have none of the rarer components, which are nearly all.
pub(crate) trait BatchStrategy<B: SteeringBehavior>: 'static {
    fn steer_batch(asked: BehaviorBatch<B>, given: BehaviorContext<B>);
}

/// The manner of most behaviours.
pub(crate) struct Scalar;

impl<B: SteeringBehavior> BatchStrategy<B> for Scalar {
    fn steer_batch(asked: BehaviorBatch<B>, given: BehaviorContext<B>) {
        steer_rows::<B, true>(asked, given);
    }
}

/// So many rows are looked at before they are steered, while they are still in the nearest cache.
const VALIDATE_CHUNK: usize = 64;

/// Compiled once for agents without any of the rarer components, and once for the others.
fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(
    asked: BehaviorBatch<B>,
    given: BehaviorContext<B>,
) {
    let mut left = asked.agents.len();
    let mut rest = (asked.agents, asked.behaviors, asked.wishes);
    while left > 0 {
        let count = left.min(VALIDATE_CHUNK);
        let (rows, others) = rest.split_at(count);
        (left, rest) = (left - count, others);
        let (agents, behaviors, mut wishes) = rows;
        validate(&agents, wishes.contributions, given.tick);
        let agents = agents.first(count);
        let behaviors = &mut behaviors[..count];
        wishes.contributions = &mut wishes.contributions[..count];
        wishes.tiers = &mut wishes.tiers[..count];
        for (row, behavior) in behaviors.iter_mut().enumerate() {
            steer_one(&agents.row::<PLAIN>(row), behavior, wishes.row::<PLAIN>(row), given);
        }
    }
}

/// Asks one agent that has been looked at.
#[inline(always)]
pub(crate) fn steer_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    Output { contributions, tiers, angular, trace }: Output,
    BehaviorContext { world, index, tick }: BehaviorContext<B>,
) {
    if contributions.stage() != Stage::Active || !behavior.blend().enabled {
        return;
    }
    let agent = Agent::new(&parts, index, tick);
    let steering = behavior.steer(&agent, world);
    let blend = *behavior.blend();
    let change = steering.linear * blend.weight;
    let turning = steering.angular.map(|change| change * blend.weight);
    if !(is_finite(change) & turning.is_none_or(is_finite)) {
        warn_non_finite(parts.entity, behavior, tick.invalid_input);
        return;
    }
    let tier = blend.priority.unwrap_or(B::PRIORITY);
    contributions.add(tiers, agent.plane.flatten(change), tier);
    if let (Some(change), Some(angular)) = (turning, angular) {
        angular.add(agent.plane.flatten_turn(change), tier);
    }
    if let Some(trace) = trace {
        trace.note(Contribution {
            behavior: index,
            correction: agent.plane.flatten(steering.linear),
            angular: steering.angular.map(|change| agent.plane.flatten_turn(change)),
            weight: blend.weight,
            priority: tier,
            ..Contribution::default()
        });
    }
}

#[cold]
#[inline(never)]
pub(crate) fn warn_non_finite<B: SteeringBehavior>(
    entity: Entity,
    behavior: &B,
    invalid_input: &InvalidInputLog,
) {
    // A parameter that is not a number has been named when it was set.
    if first_nan(behavior.as_partial_reflect()).is_none() {
        let name = B::short_type_path();
        invalid_input.warn(entity, name, "asked for a change that is not finite");
    }
}
