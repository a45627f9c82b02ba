//! [`Simd`]: the strategy that steers agents in eight lanes, with the same bits as one by one.

use crate::{
    agent::{
        AgentColumns, Blend, Contributions, TierSums,
        contributions::{self, DRIVEN},
    },
    behavior::{AgentBlock, SimdBehavior, SteeringBehavior},
    ecs::aligned_mut,
    pipeline::{
        behave::{
            BatchStrategy, BehaviorBatch, BehaviorContext, Output, steer_one, warn_invalid_wish,
        },
        validate::{validate_block, validate_one},
    },
    simd::{
        Kernel, Lanes, WIDTH, at, differ, dispatch, each, flattened, is_valid, pack, unpacked,
        unset_lanes,
    },
};

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
        requested &= !(u8::from(!is_default_tier(behavior.blend())) << i);
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

/// Whether agents with this blend can be steered together.
#[inline]
fn is_default_tier(blend: &Blend) -> bool {
    blend.enabled & blend.priority.is_none()
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
