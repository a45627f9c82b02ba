//! Registration of behaviours, and the one system that runs each of them.

use core::any::TypeId;

use bevy::{
    ecs::{
        component::StorageType,
        system::{StaticSystemParam, SystemParamItem},
    },
    prelude::*,
    reflect::ReflectRef,
};

use crate::{
    agent::{AgentData, AgentParts, AgentRows},
    arbitration::{AngularContributions, Contributions, OtherTiers, Stage},
    behavior::SteeringBehavior,
    neighbors::Demand,
    offences::{Offences, first_nan},
    rows::{for_each_piece, silent},
    schedule::{SteeringSchedule, SteeringSystems},
    target::Target,
    tick::{Tick, TickRef},
    vector::are_finite,
    vehicle::Vehicle,
};

/// The registered behaviours, in the order in which they run.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// Its name without the path: `Seek`.
    pub name: &'static str,
}

impl BehaviorRegistry {
    /// All of them, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}

/// The place of one behaviour in the chain.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BehaviorLink(usize);

pub(crate) const FIRST_LINK: BehaviorLink = BehaviorLink(0);

/// What must be seen to after the game has decided and before any behaviour is asked.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Readiness {
    /// Do the parameters make sense, and does anybody look for the nearest of something?
    Check,
    /// Make what they ask for.
    Make,
}

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Makes `B` a steering behaviour of this app. It runs after those registered before it. A second call does nothing.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self {
        let mut registry =
            self.init_resource::<BehaviorRegistry>().world_mut().resource_mut::<BehaviorRegistry>();
        let link = registry.index_of::<B>();
        if link < registry.entries.len() {
            return self;
        }
        registry
            .entries
            .push(RegisteredBehavior { type_id: TypeId::of::<B>(), name: B::short_type_path() });
        if link > 0 {
            self.configure_sets(SteeringSchedule, BehaviorLink(link).after(BehaviorLink(link - 1)));
        }
        self.register_type::<B>()
            .configure_sets(SteeringSchedule, BehaviorLink(link).in_set(SteeringSystems::Behave))
            .add_systems(
                SteeringSchedule,
                (
                    check_parameters::<B>.in_set(Readiness::Check),
                    steer_agents::<B>.in_set(BehaviorLink(link)),
                ),
            )
    }
}

/// Looks at parameters of agents when they are set: warns of those that are not numbers, and notes who wants the
/// [`NeighborIndex`](crate::NeighborIndex).
pub(crate) fn check_parameters<C: Component + Reflect + TypePath>(
    changed: Query<(Entity, &C), (With<Vehicle>, Changed<C>)>,
    mut demand: ResMut<Demand>,
    tick: Tick,
) {
    for (entity, parameters) in &changed {
        let parameters = parameters.as_partial_reflect();
        if let Some(field) = first_nan(parameters) {
            let name = C::short_type_path();
            tick.offences.warn(entity, &format!("{name}{field}"), "is not a number");
        }
        if !demand.0 && wants_nearest(parameters) {
            demand.0 = true;
        }
    }
}

/// Whether one of the fields is a [`Target::Nearest`].
fn wants_nearest(parameters: &dyn PartialReflect) -> bool {
    let ReflectRef::Struct(parameters) = parameters.reflect_ref() else { return false };
    parameters.iter_fields().any(|(_, field)| {
        matches!(field.try_downcast_ref::<Target>(), Some(Target::Nearest { .. }))
    })
}

/// Runs one behaviour for all agents that have it.
fn steer_agents<B: SteeringBehavior>(
    mut agents: Query<(
        AgentData,
        &mut B,
        &mut Contributions,
        &mut OtherTiers,
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
            |(agents, behaviors, contributions, others, angular)| {
                let agents = AgentRows::from(agents);
                let wishes = (silent(contributions), silent(others), angular.map(silent));
                (agents.len(), (agents, silent(behaviors), wishes))
            },
        );
        for_each_piece(tables.collect(), |count, (agents, behaviors, wishes)| {
            let is_plain = agents.are_plain() && wishes.2.is_none();
            let steer_rows = if is_plain { steer_rows::<B, true> } else { steer_rows::<B, false> };
            steer_rows(count, &agents, behaviors, wishes, &world, index, tick);
        });
    } else {
        for (parts, mut behavior, mut contributions, mut others, mut angular) in &mut agents {
            steer_one(
                AgentParts::from(parts),
                behavior.bypass_change_detection(),
                contributions.bypass_change_detection(),
                others.bypass_change_detection(),
                angular.as_mut().map(Mut::bypass_change_detection),
                &world,
                index,
                tick,
            );
        }
    }
}

type Wishes<'a> =
    (&'a mut [Contributions], &'a mut [OtherTiers], Option<&'a mut [AngularContributions]>);

/// Compiled once for agents without any of the rarer components, and once for the others.
fn steer_rows<B: SteeringBehavior, const PLAIN: bool>(
    count: usize,
    agents: &AgentRows,
    behaviors: &mut [B],
    (contributions, others, mut angular): Wishes,
    world: &SystemParamItem<B::World>,
    index: usize,
    tick: TickRef,
) {
    let (agents, behaviors) = (agents.first(count), &mut behaviors[..count]);
    let (contributions, others) = (&mut contributions[..count], &mut others[..count]);
    for row in 0..count {
        steer_one(
            agents.row::<PLAIN>(row),
            &mut behaviors[row],
            &mut contributions[row],
            &mut others[row],
            if PLAIN { None } else { angular.as_mut().map(|rows| &mut rows[row]) },
            world,
            index,
            tick,
        );
    }
}

#[inline(always)]
fn steer_one<B: SteeringBehavior>(
    parts: AgentParts,
    behavior: &mut B,
    contributions: &mut Contributions,
    others: &mut OtherTiers,
    angular: Option<&mut AngularContributions>,
    world: &SystemParamItem<B::World>,
    index: usize,
    tick: TickRef,
) {
    let stage = contributions.enter(&parts, tick);
    if stage != Stage::Open || !behavior.blend().enabled {
        return;
    }
    let agent = parts.agent(index, tick);
    let steering = behavior.steer(&agent, world);
    let blend = *behavior.blend();
    let turning = steering.angular.unwrap_or(Vec3::ZERO);
    if !are_finite(steering.linear * blend.weight, turning * blend.weight) {
        complain_of_result(parts.entity, behavior, tick.offences);
        return;
    }
    contributions.add(others, agent.plane.flatten(steering.linear), &blend, B::PRIORITY);
    if let (Some(change), Some(angular)) = (steering.angular, angular) {
        angular.add(agent.plane.flatten_turn(change), &blend, B::PRIORITY);
    }
}

#[cold]
#[inline(never)]
fn complain_of_result<B: SteeringBehavior>(entity: Entity, behavior: &B, offences: &Offences) {
    // A parameter that is not a number has been named when it was set.
    if first_nan(behavior.as_partial_reflect()).is_none() {
        let name = B::short_type_path();
        offences.warn(entity, name, "asked for a change that is not finite");
    }
}
