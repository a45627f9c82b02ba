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
    arbitration::{AllTiers, AngularContributions, Contributions, Stage},
    behavior::SteeringBehavior,
    look::{look_at, look_at_one},
    offences::{Offences, first_nan},
    register::BehaviorRegistry,
    rows::{Rows, for_each_piece, silent},
    tick::{Tick, TickRef},
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
            |(agents, behaviors, contributions, tiers, angular)| {
                let agents = AgentRows::from(agents);
                let wishes = (silent(contributions), silent(tiers), angular.map(silent));
                (agents.len(), (agents, silent(behaviors), wishes))
            },
        );
        for_each_piece(tables.collect(), |_, (agents, behaviors, wishes)| {
            let asked = Asked { agents, behaviors, wishes };
            let given = Given { world: &world, index, tick };
            if asked.agents.are_plain() && asked.wishes.2.is_none() {
                M::steer_plain(asked, given);
            } else {
                steer_rows::<B, false>(asked, given);
            }
        });
    } else {
        let given = Given { world: &world, index, tick };
        for (parts, mut behavior, mut contributions, mut tiers, mut angular) in &mut agents {
            let parts = AgentParts::from(parts);
            let contributions = contributions.bypass_change_detection();
            look_at_one(&parts, contributions, tick);
            let tiers = tiers.bypass_change_detection();
            let angular = angular.as_mut().map(Mut::bypass_change_detection);
            let behavior = behavior.bypass_change_detection();
            steer_one(&parts, behavior, (contributions, tiers, angular), given);
        }
    }
}

/// Some agents with a behaviour.
pub(crate) struct Asked<'a, B> {
    pub(crate) agents: AgentRows<'a>,
    pub(crate) behaviors: &'a mut [B],
    pub(crate) wishes: Wishes<'a>,
}

pub(crate) type Wishes<'a> =
    (&'a mut [Contributions], &'a mut [AllTiers], Option<&'a mut [AngularContributions]>);

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
        let (agents, behaviors, (contributions, tiers, mut angular)) = rows;
        look_at(&agents, contributions, given.tick);
        let agents = agents.first(count);
        let behaviors = &mut behaviors[..count];
        let (contributions, tiers) = (&mut contributions[..count], &mut tiers[..count]);
        for row in 0..count {
            let angular = if PLAIN { None } else { angular.as_mut().map(|rows| &mut rows[row]) };
            let wishes = (&mut contributions[row], &mut tiers[row], angular);
            steer_one(&agents.row::<PLAIN>(row), &mut behaviors[row], wishes, given);
        }
    }
}

/// Asks one agent that has been looked at.
#[inline(always)]
pub(crate) fn steer_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    (contributions, tiers, angular): (
        &mut Contributions,
        &mut AllTiers,
        Option<&mut AngularContributions>,
    ),
    Given { world, index, tick }: Given<B>,
) {
    if contributions.stage != Stage::Open || !behavior.blend().enabled {
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
