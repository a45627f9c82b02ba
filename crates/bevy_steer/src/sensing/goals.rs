//! [`Goals`]: which agents go for which entities.

use bevy::{ecs::component::StorageType, prelude::*, utils::Parallel};

use crate::{
    agent::{Goal, IndexSlot},
    behavior::{Several, SteeringBehavior},
    ecs::for_each_piece,
    sensing::encounter_requests::EncounterRequests,
};

/// The goals of all agents in this tick, as far as they are entities.
#[derive(Resource, Default)]
pub(crate) struct Goals {
    noted: Parallel<Vec<Pair>>,
    /// In the order of the agents.
    by_agent: Vec<Pair>,
    /// In the order of their goals.
    by_goal: Vec<Pair>,
}

/// An agent and the entity that it goes for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    agent: Entity,
    goal: Entity,
    is_reached: bool,
}

/// What an agent and another one want of each other, by the [`Goal`]s of their behaviours.
///
/// Of two, [`AvoidAgents`](crate::AvoidAgents) leaves the avoiding to the one that goes for the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pursuit {
    /// The agent goes for the other one itself: [`Goal::Reach`].
    pub reaches: bool,
    /// The agent goes for the other one, or for a position beside it.
    pub pursues: bool,
    /// The other one goes for the agent, or for a position beside it.
    pub is_pursued: bool,
}

/// The goals of an agent, and the agents that have it as their goal.
#[derive(Clone, Copy)]
pub(crate) struct GoalsOf<'a> {
    own: &'a [Pair],
    pursuers: &'a [Pair],
}

impl Goals {
    pub(super) fn of(&self, agent: Entity) -> GoalsOf<'_> {
        let own = run_of(&self.by_agent, agent, |pair| pair.agent);
        let pursuers = run_of(&self.by_goal, agent, |pair| pair.goal);
        GoalsOf { own, pursuers }
    }
}

impl GoalsOf<'_> {
    pub(crate) fn are_empty(&self) -> bool {
        self.own.is_empty() && self.pursuers.is_empty()
    }

    /// What the agent and `other` want of each other.
    pub(crate) fn pursuit(&self, other: Entity) -> Pursuit {
        let mut pursuit = Pursuit::default();
        for pair in run_of(self.own, other, |pair| pair.goal) {
            pursuit.pursues = true;
            pursuit.reaches |= pair.is_reached;
        }
        pursuit.is_pursued = !run_of(self.pursuers, other, |pair| pair.agent).is_empty();
        pursuit
    }
}

/// The pairs with this key, out of pairs in the order of their keys.
fn run_of(pairs: &[Pair], key: Entity, key_of: impl Fn(&Pair) -> Entity) -> &[Pair] {
    let from = &pairs[pairs.partition_point(|pair| key_of(pair) < key)..];
    &from[..from.partition_point(|pair| key_of(pair) == key)]
}

/// Notes the goals of one behaviour, on all agents that have it, once or several times.
pub(crate) fn note_goals<B: SteeringBehavior>(
    single: Query<(Entity, &IndexSlot, &B)>,
    several: Query<(Entity, &IndexSlot, &Several<B>)>,
    parents: Query<&ChildOf>,
    requests: Res<EncounterRequests>,
    goals: Res<Goals>,
) {
    if requests.is_empty() || (single.is_empty() && several.is_empty()) {
        return;
    }
    let note = |agent: Entity, entry: &IndexSlot, behavior: &B| {
        let blend = behavior.blend();
        if !blend.enabled || blend.weight == 0.0 {
            return;
        }
        if let Some(place) = behavior.near_goal() {
            requests.note_near_goal(entry.get(), place);
        }
        let Some(goal) = behavior.goal() else { return };
        let (goal, is_reached) = match goal {
            Goal::Reach(goal) => (goal, true),
            Goal::Accompany(goal) => (goal, false),
        };
        let mut noted = goals.noted.borrow_local_mut();
        // Whoever goes for a part of something goes for the whole.
        let wholes = parents.iter_ancestors(goal);
        noted.extend([goal].into_iter().chain(wholes).map(|goal| Pair { agent, goal, is_reached }));
    };
    if B::STORAGE_TYPE == StorageType::Table {
        let tables = single.contiguous_iter().into_iter().flatten();
        let tables =
            tables.map(|(agents, entries, behaviors)| (agents.len(), (agents, entries, behaviors)));
        for_each_piece(tables.collect(), |count, (agents, entries, behaviors)| {
            let rows = agents.iter().zip(entries).zip(behaviors).take(count);
            rows.for_each(|((&agent, entry), one)| note(agent, entry, one));
        });
    } else {
        single.iter().for_each(|(agent, entry, one)| note(agent, entry, one));
    }
    for (agent, entry, several) in &several {
        several.iter().for_each(|one| note(agent, entry, one));
    }
}

/// Sorts what behaviours have noted in this tick.
pub(crate) fn sort_goals(mut goals: ResMut<Goals>) {
    let Goals { noted, by_agent, by_goal } = &mut *goals;
    by_agent.clear();
    by_agent.extend(noted.drain());
    by_agent.sort_unstable();
    by_agent.dedup();
    by_goal.clone_from(by_agent);
    by_goal.sort_unstable_by_key(|pair| (pair.goal, *pair));
}
