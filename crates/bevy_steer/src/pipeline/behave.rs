//! The system of each behaviour: the [`BehaviorParams`] that it reads, and the [`Batch`] of agents
//! that it passes to a [`BatchStrategy`].

use core::marker::PhantomData;

use bevy::{
    ecs::{
        component::{Mutable, StorageType},
        system::{StaticSystemParam, SystemParam},
    },
    prelude::*,
};

use crate::{
    agent::{
        AgentColumns, AgentData, AgentParts, AngularContributions, Contributions, InvalidInputLog,
        Stage, Tick, TickRef, TierSums,
    },
    behavior::{Agent, ParamOf, Several, SteeringBehavior},
    ecs::{columns_struct, for_each_piece, untracked},
    neighbors::NeighborUsers,
    pipeline::{
        registry::BehaviorRegistry,
        trace::{Contribution, SteeringTrace},
        validate::{invalid_number, validate_one},
    },
    space::is_valid,
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

/// Calls the behaviour for an agent that has been validated, and adds the result to its requests.
#[inline(always)]
pub(crate) fn steer_one<B: SteeringBehavior>(
    parts: &AgentParts,
    behavior: &mut B,
    Output { contributions, tiers, angular, trace }: Output,
    BehaviorContext { params, index, place, tick }: BehaviorContext<B>,
) {
    if contributions.stage() != Stage::Active || !behavior.blend().enabled {
        return;
    }
    let mut agent = Agent::new(parts, index, tick);
    agent.place = place;
    agent.goes_straight = contributions.goes_straight();
    // An agent with nothing else to do is idle.
    let counts = behavior.blend().weight != 0.0;
    let steering = behavior.steer(&agent, params);
    let blend = *behavior.blend();
    let change = steering.linear.map(|change| agent.plane.flatten(change * blend.weight));
    let turning = steering.angular.map(|change| change * blend.weight);
    if !(change.is_none_or(is_valid) & turning.is_none_or(is_valid)) {
        warn_invalid_wish(parts.entity, behavior, tick.invalid_input);
        return;
    }
    let tier = blend.priority.unwrap_or(B::PRIORITY);
    if let Some(change) = change {
        contributions.add(tiers, change, tier);
        if B::DRIVES && counts {
            contributions.drive();
        }
    }
    if counts {
        contributions.cruise_at(behavior.cruise());
    }
    if let (Some(change), Some(angular)) = (turning, angular) {
        angular.add(agent.plane.flatten_turn(change), tier);
    }
    if let Some(trace) = trace {
        trace.note(Contribution {
            behavior: index,
            place,
            correction: agent.plane.flatten(steering.linear.unwrap_or_default()),
            angular: steering.angular.map(|change| agent.plane.flatten_turn(change)),
            weight: blend.weight,
            priority: tier,
            ..Contribution::default()
        });
    }
}

/// Warns of a request that is not [valid](is_valid), unless an invalid parameter explains it.
#[cold]
pub(crate) fn warn_invalid_wish<B: SteeringBehavior>(
    entity: Entity,
    behavior: &B,
    invalid_input: &InvalidInputLog,
) {
    // Invalid parameters have been named when they were set.
    if invalid_number(behavior.as_partial_reflect()).is_none() {
        let problem = "asked for a change of velocity that is NaN or beyond ±1e9: \
                       its request is left out in such ticks";
        invalid_input.warn(entity, B::name(), problem);
    }
}

/// How a behaviour processes agents without rare components, which are nearly all.
pub(crate) trait BatchStrategy<B: SteeringBehavior>: 'static {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>);
}

/// Some agents with a behaviour.
pub(crate) struct BehaviorBatch<'a, B> {
    pub agents: AgentColumns<'a>,
    pub behaviors: &'a mut [B],
    pub outputs: OutputColumns<'a>,
}

columns_struct! {
    /// Where the requests of some agents are written.
    pub(crate) struct OutputColumns<'a> {
        pub contributions: &'a mut [Contributions],
        pub tiers: &'a mut [TierSums],
        pub angular: Option<&'a mut [AngularContributions]>,
        pub traces: Option<&'a mut [SteeringTrace]>,
    }
}

impl OutputColumns<'_> {
    /// Whether there are only the columns that all agents have.
    pub(crate) fn are_plain(&self) -> bool {
        self.angular.is_none() && self.traces.is_none()
    }

    /// One of them. `PLAIN` says that [`are_plain`](Self::are_plain).
    #[inline(always)]
    pub(crate) fn row<const PLAIN: bool>(&mut self, row: usize) -> Output<'_> {
        let (contributions, tiers) = (&mut self.contributions[row], &mut self.tiers[row]);
        if PLAIN {
            return Output::plain(contributions, tiers);
        }
        let angular = self.angular.as_mut().map(|rows| &mut rows[row]);
        let trace = self.traces.as_mut().map(|rows| &mut rows[row]);
        Output { contributions, tiers, angular, trace }
    }
}

/// The destination of one agent's request.
pub(crate) struct Output<'a> {
    pub contributions: &'a mut Contributions,
    pub tiers: &'a mut TierSums,
    pub angular: Option<&'a mut AngularContributions>,
    pub trace: Option<&'a mut SteeringTrace>,
}

impl<'a> Output<'a> {
    #[inline]
    pub(crate) fn plain(contributions: &'a mut Contributions, tiers: &'a mut TierSums) -> Self {
        Self { contributions, tiers, angular: None, trace: None }
    }
}

/// The context common to all agents with a behaviour.
pub(crate) struct BehaviorContext<'a, 'w, 's, B: SteeringBehavior> {
    /// The behaviour's [`Param`](SteeringBehavior::Param).
    pub params: &'a ParamOf<'w, 's, B>,
    /// The behaviour's index in the registry.
    pub index: usize,
    /// The index of the behaviour among [`Several`](crate::Several).
    pub place: Option<usize>,
    pub tick: TickRef<'a>,
}

impl<B: SteeringBehavior> Clone for BehaviorContext<'_, '_, '_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: SteeringBehavior> Copy for BehaviorContext<'_, '_, '_, B> {}

/// What each system of a behaviour reads: the behaviour's own parameters, and what holds for all
/// behaviours.
///
/// Whether [`Neighbors`](crate::Neighbors) is among its parameters shows when they are initialised,
/// which is done in the order of these fields.
#[derive(SystemParam)]
pub(crate) struct BehaviorParams<'w, 's, B: SteeringBehavior> {
    _begin: Local<'s, Begin>,
    params: StaticSystemParam<'w, 's, <B as SteeringBehavior>::Param>,
    _end: Local<'s, End<B>>,
    registry: Res<'w, BehaviorRegistry>,
    tick: Tick<'w>,
}

impl<'w, 's, B: SteeringBehavior> BehaviorParams<'w, 's, B> {
    pub(crate) fn context(&self) -> BehaviorContext<'_, 'w, 's, B> {
        let index = self.registry.index_of::<B>();
        BehaviorContext { params: &*self.params, index, place: None, tick: self.tick.borrow() }
    }
}

/// The behaviour's own parameters follow.
struct Begin;

impl FromWorld for Begin {
    fn from_world(world: &mut World) -> Self {
        world.get_resource_or_init::<NeighborUsers>().begin_behavior();
        Self
    }
}

/// That was all of the behaviour's own parameters.
struct End<B>(PhantomData<B>);

impl<B: SteeringBehavior> FromWorld for End<B> {
    fn from_world(world: &mut World) -> Self {
        let components =
            [world.register_component::<B>(), world.register_component::<Several<B>>()];
        world.get_resource_or_init::<NeighborUsers>().end_behavior(components);
        Self(PhantomData)
    }
}
