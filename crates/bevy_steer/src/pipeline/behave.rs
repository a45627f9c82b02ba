//! The system of each behaviour, which passes a [`BehaviorBatch`] of agents to a [`BatchStrategy`]:
//! [`Scalar`], or [`Simd`] in eight lanes, with the same bits; and the [`BehaviorParams`] that it
//! reads.

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
        AgentColumns, AgentData, AgentParts, AngularContributions, Blend, Contributions,
        InvalidInputLog, Stage, Tick, TickRef, TierSums,
        contributions::{self, DRIVEN},
    },
    behavior::{Agent, AgentBlock, ParamOf, Several, SimdBehavior, SteeringBehavior},
    ecs::{RowCost, aligned_mut, columns_struct, untracked},
    neighbors::NeighborUsers,
    pipeline::{
        registry::BehaviorRegistry,
        trace::{Contribution, SteeringTrace},
        validate::{invalid_number, validate_block, validate_one},
    },
    simd::{
        Kernel, Lanes, WIDTH, at, differ, dispatch, each, flattened, is_valid, pack, unpacked,
        unset_lanes,
    },
    space::vector,
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
    mut cost: Local<RowCost>,
) {
    if agents.p0().is_empty() && agents.p1().is_empty() {
        return;
    }
    let context = params.context();
    steer_each::<B, M>(agents.p0(), &mut cost, context);
    steer_several(agents.p1(), &mut cost, context);
}

fn steer_each<B: SteeringBehavior, M: BatchStrategy<B>>(
    mut agents: Steered<B>,
    cost: &mut RowCost,
    context: BehaviorContext<B>,
) {
    // Without change detection: a game need not react to the internal state of a behaviour.
    if B::STORAGE_TYPE == StorageType::Table {
        cost.for_each_piece(columns(&mut agents), |_, (agents, behaviors, outputs)| {
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
    cost: &mut RowCost,
    context: BehaviorContext<B>,
) {
    cost.for_each_piece(columns(&mut agents), |count, (agents, several, mut outputs)| {
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

/// How a behaviour processes agents without rare components, which are nearly all.
pub(crate) trait BatchStrategy<B: SteeringBehavior>: 'static {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>);
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
fn steer_one<B: SteeringBehavior>(
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
    if !(change.is_none_or(vector::is_valid) & turning.is_none_or(vector::is_valid)) {
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

/// Warns of a request that is not [valid](vector::is_valid), unless an invalid parameter explains
/// it.
#[cold]
fn warn_invalid_wish<B: SteeringBehavior>(
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

/// The strategy of a [`SimdBehavior`].
pub(crate) struct Simd;

impl<B: SimdBehavior> BatchStrategy<B> for Simd {
    fn steer_batch(batch: BehaviorBatch<B>, context: BehaviorContext<B>) {
        dispatch(SteerSimd { batch, context });
    }
}

struct SteerSimd<'a, 'w, 's, B: SteeringBehavior> {
    batch: BehaviorBatch<'a, B>,
    context: BehaviorContext<'a, 'w, 's, B>,
}

impl<B: SimdBehavior> Kernel for SteerSimd<'_, '_, '_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { batch: BehaviorBatch { agents, behaviors, outputs }, context } = self;
        let count = agents.len();
        let agents = agents.first(count);
        let behaviors = &mut behaviors[..count];
        let contributions = &mut outputs.contributions[..count];
        let tiers = &mut outputs.tiers[..count];
        let blocks = count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let outputs = (aligned_mut(contributions, first), aligned_mut(tiers, first));
            let behaviors = aligned_mut(behaviors, first);
            steer_eight(l, &agents, first, behaviors, outputs, &context);
        }
        for row in blocks * WIDTH..count {
            let parts = agents.row::<true>(row);
            validate_one(&parts, &mut contributions[row], context.tick);
            let output = Output::plain(&mut contributions[row], &mut tiers[row]);
            steer_one(&parts, &mut behaviors[row], output, context);
        }
    }
}

#[inline(always)]
fn steer_eight<L: Lanes, B: SimdBehavior>(
    l: L,
    agents: &AgentColumns,
    first: usize,
    behaviors: &mut [B; WIDTH],
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [TierSums; WIDTH]),
    context: &BehaviorContext<B>,
) {
    let block = AgentBlock::new(&context.tick, agents, first);
    let active = validate_block(l, &block, contributions);
    if active == 0 {
        return;
    }
    let mut requested = active;
    for (i, behavior) in behaviors.iter().enumerate() {
        let Blend { enabled, priority, .. } = *behavior.blend();
        requested &= !(u8::from(!(enabled & priority.is_none())) << i);
    }
    let weight = pack!(l, i => behaviors[i].blend().weight);
    let (change, done) = B::steer_simd(l, requested, behaviors, &block, context.params);
    // Not minus zero either in the coordinates that the plane does not have.
    let change = flattened(l, each!(d => l.mul(change[d], weight)), block.has);
    let valid = l.bits(is_valid(l, change));
    let given = done & valid;
    let some = given & differ(l, change, [l.splat(0.0); 3]);
    // With a weight of zero the behaviour does not move the agent.
    let counts = given & !l.bits(l.le(l.abs(weight), l.splat(0.0)));
    let flag = if B::DRIVES { DRIVEN } else { 0 };
    if some == 0 {
        // The usual case of avoidance behaviours.
        contributions::mark(contributions, counts, flag);
    } else if let Some(state) = contributions::without_requests(contributions) {
        let of_all = if counts == u8::MAX { flag } else { 0 };
        contributions::add_first(l, contributions, state | of_all, change, some, B::PRIORITY);
        contributions::mark(contributions, counts, flag & !of_all);
    } else {
        let changes = unpacked(l, change);
        for i in unset_lanes(!some) {
            contributions[i].add_some(&mut tiers[i], at(&changes, i), B::PRIORITY);
        }
        contributions::mark(contributions, counts, flag);
    }
    for i in 0..WIDTH {
        if counts >> i & 1 == 1 {
            contributions[i].cruise_at(behaviors[i].cruise());
        }
    }
    if active & given == active {
        return;
    }
    steer_remaining(*agents, first, [done, valid], behaviors, (contributions, tiers), *context);
}

/// Steers the agents that could not be steered in lanes, and warns of invalid requests. Outlined to
/// keep the hot loop in registers.
#[inline(never)]
fn steer_remaining<B: SteeringBehavior>(
    agents: AgentColumns,
    first: usize,
    [done, valid]: [u8; 2],
    behaviors: &mut [B; WIDTH],
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [TierSums; WIDTH]),
    context: BehaviorContext<B>,
) {
    for i in unset_lanes(done & valid) {
        let parts = agents.row::<true>(first + i);
        if done >> i & 1 == 0 {
            let output = Output::plain(&mut contributions[i], &mut tiers[i]);
            steer_one(&parts, &mut behaviors[i], output, context);
        } else {
            warn_invalid_wish(parts.entity, &behaviors[i], context.tick.invalid_input);
        }
    }
}

/// Some agents with a behaviour.
pub(crate) struct BehaviorBatch<'a, B> {
    agents: AgentColumns<'a>,
    behaviors: &'a mut [B],
    outputs: OutputColumns<'a>,
}

columns_struct! {
    /// Where the requests of some agents are written.
    struct OutputColumns<'a> {
        contributions: &'a mut [Contributions],
        tiers: &'a mut [TierSums],
        angular: Option<&'a mut [AngularContributions]>,
        traces: Option<&'a mut [SteeringTrace]>,
    }
}

impl OutputColumns<'_> {
    /// Whether there are only the columns that all agents have.
    fn are_plain(&self) -> bool {
        self.angular.is_none() && self.traces.is_none()
    }

    /// One of them. `PLAIN` says that [`are_plain`](Self::are_plain).
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

/// The destination of one agent's request.
struct Output<'a> {
    contributions: &'a mut Contributions,
    tiers: &'a mut TierSums,
    angular: Option<&'a mut AngularContributions>,
    trace: Option<&'a mut SteeringTrace>,
}

impl<'a> Output<'a> {
    #[inline]
    fn plain(contributions: &'a mut Contributions, tiers: &'a mut TierSums) -> Self {
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
