//! The one system that runs each behaviour.

use bevy::{
    ecs::{
        component::StorageType,
        system::{StaticSystemParam, SystemParamItem},
    },
    prelude::*,
};

use crate::{
    agent::{AgentData, AgentParts, AgentRows},
    arbitration::AngularContributions,
    behavior::SteeringBehavior,
    contributions::{AllTiers, Contributions, Stage},
    look::{look_at, look_at_one},
    offences::{Offences, first_nan},
    register::BehaviorRegistry,
    rows::{Rows, rows_for_struct, silent},
    share::for_each_piece,
    tick::{Tick, TickRef},
    trace::{Contribution, SteeringTrace},
    vector::is_finite,
};

/// Runs one behaviour for all agents that have it.
pub(crate) fn steer_agents<B: SteeringBehavior, M: Manner<B>>(
    mut agents: Query<(
        AgentData,
        &mut B,
        &mut Contributions,
        &mut AllTiers,
        Option<&mut AngularContributions>,
        Option<&mut SteeringTrace>,
    )>,
    world: StaticSystemParam<B::World>,
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
                let agents = AgentRows::from(agents);
                let wishes = WishRows {
                    contributions: silent(contributions),
                    tiers: silent(tiers),
                    angular: angular.map(silent),
                    traces: traces.map(silent),
                };
                (agents.len(), (agents, silent(behaviors), wishes))
            },
        );
        for_each_piece(tables.collect(), |_, (agents, behaviors, wishes)| {
            let asked = Asked { agents, behaviors, wishes };
            let given = Given { world: &world, index, tick };
            if asked.agents.are_plain() && asked.wishes.are_plain() {
                M::steer_plain(asked, given);
            } else {
                steer_rows::<B, false>(asked, given);
            }
        });
    } else {
        let given = Given { world: &world, index, tick };
        for (parts, mut behavior, mut contributions, mut tiers, mut angular, mut trace) in
            &mut agents
        {
            let parts = AgentParts::from(parts);
            let contributions = contributions.bypass_change_detection();
            look_at_one(&parts, contributions, tick);
            let wish = Wish {
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
pub(crate) struct Asked<'a, B> {
    pub(crate) agents: AgentRows<'a>,
    pub(crate) behaviors: &'a mut [B],
    pub(crate) wishes: WishRows<'a>,
}

/// Where the wishes of some agents are noted.
pub(crate) struct WishRows<'a> {
    pub(crate) contributions: &'a mut [Contributions],
    pub(crate) tiers: &'a mut [AllTiers],
    angular: Option<&'a mut [AngularContributions]>,
    traces: Option<&'a mut [SteeringTrace]>,
}

rows_for_struct!(WishRows { contributions, tiers, angular, traces });

impl WishRows<'_> {
    /// Whether these are only noted where all agents note them.
    fn are_plain(&self) -> bool {
        self.angular.is_none() && self.traces.is_none()
    }

    #[inline(always)]
    fn row<const PLAIN: bool>(&mut self, row: usize) -> Wish<'_> {
        let (contributions, tiers) = (&mut self.contributions[row], &mut self.tiers[row]);
        if PLAIN {
            return Wish::plain(contributions, tiers);
        }
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
        Wish { contributions, tiers, angular, trace }
    }
}

/// The same for one agent.
pub(crate) struct Wish<'a> {
    contributions: &'a mut Contributions,
    tiers: &'a mut AllTiers,
    angular: Option<&'a mut AngularContributions>,
    trace: Option<&'a mut SteeringTrace>,
}

impl<'a> Wish<'a> {
    #[inline(always)]
    pub(crate) fn plain(contributions: &'a mut Contributions, tiers: &'a mut AllTiers) -> Self {
        Self { contributions, tiers, angular: None, trace: None }
    }
}

/// What a behaviour is told.
pub(crate) struct Given<'a, 'w, 's, B: SteeringBehavior> {
    pub(crate) world: &'a SystemParamItem<'w, 's, B::World>,
    /// Which behaviour it is.
    pub(crate) index: usize,
    pub(crate) tick: TickRef<'a>,
}

impl<B: SteeringBehavior> Clone for Given<'_, '_, '_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: SteeringBehavior> Copy for Given<'_, '_, '_, B> {}

/// How a behaviour goes over agents that have none of the rarer components, which are nearly all.
pub(crate) trait Manner<B: SteeringBehavior>: 'static {
    fn steer_plain(asked: Asked<B>, given: Given<B>);
}

/// The manner of most behaviours.
pub(crate) struct OneByOne;

impl<B: SteeringBehavior> Manner<B> for OneByOne {
    fn steer_plain(asked: Asked<B>, given: Given<B>) {
        steer_rows::<B, true>(asked, given);
    }
}

/// So many rows are looked at before they are steered, while they are still in the nearest cache.
const GLANCE: usize = 64;

/// Compiled once for agents without any of the rarer components, and once for the others.
fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(asked: Asked<B>, given: Given<B>) {
    let mut left = asked.agents.len();
    let mut rest = (asked.agents, asked.behaviors, asked.wishes);
    while left > 0 {
        let count = left.min(GLANCE);
        let (rows, others) = rest.cut(count);
        (left, rest) = (left - count, others);
        let (agents, behaviors, mut wishes) = rows;
        look_at(&agents, wishes.contributions, given.tick);
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
    Wish { contributions, tiers, angular, trace }: Wish,
    Given { world, index, tick }: Given<B>,
) {
    if contributions.stage() != Stage::Open || !behavior.blend().enabled {
        return;
    }
    let agent = parts.agent(index, tick);
    let steering = behavior.steer(&agent, world);
    let blend = *behavior.blend();
    let change = steering.linear * blend.weight;
    let turning = steering.angular.map(|change| change * blend.weight);
    if !(is_finite(change) & turning.is_none_or(is_finite)) {
        complain_of_result(parts.entity, behavior, tick.offences);
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
pub(crate) fn complain_of_result<B: SteeringBehavior>(
    entity: Entity,
    behavior: &B,
    offences: &Offences,
) {
    // A parameter that is not a number has been named when it was set.
    if first_nan(behavior.as_partial_reflect()).is_none() {
        let name = B::short_type_path();
        offences.warn(entity, name, "asked for a change that is not finite");
    }
}
