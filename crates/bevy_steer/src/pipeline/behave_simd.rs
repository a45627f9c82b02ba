//! Behaviours that steer eight agents at a time, with the same bits as one by one.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use crate::{
    agent::{
        blend::Blend,
        columns::AgentColumns,
        contributions::{self, Contributions, TierSums},
        id::AgentId,
        index_slot::IndexSlot,
        tick_context::TickRef,
        vehicle::VehicleBlock,
    },
    behavior::steering_behavior::SteeringBehavior,
    ecs::columns::aligned_mut,
    pipeline::{
        behave::{
            BatchStrategy, BehaviorBatch, BehaviorContext, Output, steer_one, warn_non_finite,
        },
        validate::{Validation, validate_block, validate_one},
    },
    simd::{
        dispatch::dispatch,
        lanes::{Kernel, Lanes, WIDTH, pack, unset_lanes},
        vector::{Vector, abs, around, at, differ, each, flattened, is_finite, unpacked, vector},
    },
    space::{bounds::shortest, plane::SteeringPlane},
};

/// A behaviour that can steer eight plain agents at once.
pub(crate) trait SimdBehavior: SteeringBehavior + Sized {
    /// The blend of all of them, where the world knows it so that nobody need look at each.
    fn common_blend(_: &SystemParamItem<Self::Param>) -> Option<Blend> {
        None
    }

    /// What eight agents wish, as [`steer`](SteeringBehavior::steer) says for one: in their plane, in the same bits.
    ///
    /// Who is `requested` has its bit set. Returns for whom it could be done as well; the others are requested one by one, so nothing
    /// of theirs may have changed.
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        world: &SystemParamItem<Self::Param>,
    ) -> (Vector<L>, u8);
}

/// Eight agents without any of the rarer components.
pub(crate) struct AgentBlock<'a> {
    pub(crate) plane: SteeringPlane,
    /// One for the coordinates that the plane has, zero for the others.
    pub(crate) has: Vec3,
    pub(crate) tick: &'a TickRef<'a>,
    agents: &'a AgentColumns<'a>,
    first: usize,
}

impl AgentBlock<'_> {
    #[inline(always)]
    pub(crate) fn id(&self, i: usize) -> AgentId {
        self.agents.id(self.first + i)
    }

    #[inline(always)]
    pub(crate) fn entries(&self) -> &[IndexSlot; WIDTH] {
        self.agents.entries(self.first)
    }

    #[inline(always)]
    pub(crate) fn velocity<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, self.agents.velocity(l, self.first), self.has)
    }

    #[inline(always)]
    pub(crate) fn position<L: Lanes>(&self, l: L) -> Vector<L> {
        flattened(l, self.agents.position(l, self.first), self.has)
    }

    #[inline(always)]
    pub(crate) fn vehicle<L: Lanes>(&self, l: L) -> VehicleBlock<L> {
        self.agents.vehicle(l, self.first)
    }

    /// How long their decisions last, in seconds.
    #[inline(always)]
    pub(crate) fn dt<L: Lanes>(&self, l: L) -> L::F {
        l.pack(self.agents.decision_times(self.first, self.tick.dt))
    }

    /// The way from the `i`th to a point, as [`towards`](crate::Agent::towards) says.
    #[inline(always)]
    pub(crate) fn way(&self, i: usize, point: Vec3) -> Vec3 {
        let straight = self.plane.flatten(point - self.agents.place(self.first + i));
        shortest(straight, self.tick.periods)
    }

    /// The ways to these points, and who has a usual one.
    #[inline(always)]
    pub(crate) fn towards<L: Lanes>(&self, l: L, points: &[Vec3; WIDTH]) -> (Vector<L>, u8) {
        let point = flattened(l, vector!(l, i => points[i]), self.has);
        let position = self.position(l);
        let mut usual = l.from_bits(u8::MAX);
        let offset = each!(d => {
            let straight = l.sub(point[d], position[d]);
            usual = l.and(usual, l.le(abs(l, straight), l.splat(f32::MAX)));
            let period = if self.has[d] == 0.0 { f32::INFINITY } else { self.tick.periods[d] };
            let (offset, is_short) = around(l, straight, period);
            usual = l.and(usual, is_short);
            offset
        });
        (offset, l.bits(usual))
    }
}

/// The manner of a [`SimdBehavior`].
pub(crate) struct Simd;

impl<B: SimdBehavior> BatchStrategy<B> for Simd {
    fn steer_batch(requested: BehaviorBatch<B>, given: BehaviorContext<B>) {
        dispatch(SteerSimd { requested, given });
    }
}

struct SteerSimd<'a, 'w, 's, B: SteeringBehavior> {
    requested: BehaviorBatch<'a, B>,
    given: BehaviorContext<'a, 'w, 's, B>,
}

impl<B: SimdBehavior> Kernel for SteerSimd<'_, '_, '_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { requested: BehaviorBatch { agents, behaviors, wishes }, given } = self;
        let count = agents.len();
        let agents = agents.first(count);
        let behaviors = &mut behaviors[..count];
        let contributions = &mut wishes.contributions[..count];
        let tiers = &mut wishes.tiers[..count];
        let common = B::common_blend(given.world);
        let blocks = count / WIDTH;
        for block in 0..blocks {
            let first = block * WIDTH;
            let wishes = (aligned_mut(contributions, first), aligned_mut(tiers, first));
            let behaviors = aligned_mut(behaviors, first);
            steer_eight(l, &agents, first, behaviors, common, wishes, &given);
        }
        for row in blocks * WIDTH..count {
            let parts = agents.row::<true>(row);
            validate_one(&parts, &mut contributions[row], given.tick);
            let wish = Output::plain(&mut contributions[row], &mut tiers[row]);
            steer_one(&parts, &mut behaviors[row], wish, given);
        }
    }
}

#[inline(always)]
fn steer_eight<L: Lanes, B: SimdBehavior>(
    l: L,
    agents: &AgentColumns,
    first: usize,
    behaviors: &mut [B; WIDTH],
    common: Option<Blend>,
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [TierSums; WIDTH]),
    given: &BehaviorContext<B>,
) {
    let Validation { active, is_new } =
        validate_block(l, agents, first, contributions, &given.tick);
    if active == 0 {
        return;
    }
    let (requested, weight) = if let Some(blend) = common {
        (if is_usual(&blend) { active } else { 0 }, l.splat(blend.weight))
    } else {
        let mut requested = active;
        for (i, behavior) in behaviors.iter().enumerate() {
            requested &= !(u8::from(!is_usual(behavior.blend())) << i);
        }
        (requested, pack!(l, i => behaviors[i].blend().weight))
    };
    let plane = given.tick.settings.plane;
    let has = plane.flatten(Vec3::ONE);
    let block = AgentBlock { plane, has, tick: &given.tick, agents, first };
    let (change, done) = B::steer_simd(l, requested, behaviors, &block, given.world);
    // Not minus zero either where the plane has nothing.
    let change = flattened(l, each!(d => l.mul(change[d], weight)), has);
    let finite = l.bits(is_finite(l, change));
    let some = done & finite & differ(l, change, [l.splat(0.0); 3]);
    let state =
        if is_new { Some(contributions::ACTIVATED) } else { contributions::shared(contributions) };
    if some == 0 {
        // Nobody wants anything, as mostly of those who watch out for something.
    } else if let Some(state) = state.filter(|state| contributions::is_empty(*state)) {
        contributions::add_first(l, contributions, state, change, some, B::PRIORITY);
    } else {
        let changes = unpacked(l, change);
        for i in 0..WIDTH {
            if some >> i & 1 == 1 {
                contributions[i].add_some(&mut tiers[i], at(&changes, i), B::PRIORITY);
            }
        }
    }
    if active & done & finite == active {
        return;
    }
    steer_each(*agents, first, [done, finite], behaviors, (contributions, tiers), *given);
}

/// Whether agents with this blend can be requested together.
#[inline(always)]
fn is_usual(blend: &Blend) -> bool {
    blend.enabled & blend.priority.is_none()
}

/// Asks those of eight that could not be requested at once, and complains of those that requested for what is no number. By itself, so
/// that those who need it not do not carry its burden of addresses along.
#[inline(never)]
fn steer_each<B: SimdBehavior>(
    agents: AgentColumns,
    first: usize,
    [done, finite]: [u8; 2],
    behaviors: &mut [B; WIDTH],
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [TierSums; WIDTH]),
    given: BehaviorContext<B>,
) {
    for i in unset_lanes(done & finite) {
        let parts = agents.row::<true>(first + i);
        if done >> i & 1 == 0 {
            let wish = Output::plain(&mut contributions[i], &mut tiers[i]);
            steer_one(&parts, &mut behaviors[i], wish, given);
        } else {
            warn_non_finite(parts.entity, &behaviors[i], given.tick.invalid_input);
        }
    }
}
