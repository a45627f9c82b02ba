//! Behaviours that steer eight agents at a time, with the same bits as one by one.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use crate::{
    agent::AgentRows,
    behavior::SteeringBehavior,
    blend::Blend,
    bounds::shortest,
    contributions::{self, AllTiers, Contributions},
    lanes::{
        Kernel, Lanes, WIDTH, dispatch, missing, pack,
        vector::{Vector, abs, around, at, differ, each, flattened, is_finite, unpacked, vector},
    },
    look::{Looked, look_at_block, look_at_one},
    neighbors::Entry,
    number::AgentNumber,
    plane::SteeringPlane,
    rows::aligned_mut,
    steer::{Asked, Given, Manner, Wish, complain_of_result, steer_one},
    tick::TickRef,
    vehicle::VehicleBlock,
};

/// A behaviour that can steer eight plain agents at once.
pub(crate) trait SteerBlock: SteeringBehavior + Sized {
    /// The blend of all of them, where the world knows it so that nobody need look at each.
    fn common_blend(_: &SystemParamItem<Self::World>) -> Option<Blend> {
        None
    }

    /// What eight agents wish, as [`steer`](SteeringBehavior::steer) says for one: in their plane, in the same bits.
    ///
    /// Who is `asked` has its bit set. Returns for whom it could be done as well; the others are asked one by one, so nothing
    /// of theirs may have changed.
    fn steer_block<L: Lanes>(
        l: L,
        asked: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        world: &SystemParamItem<Self::World>,
    ) -> (Vector<L>, u8);
}

/// Eight agents without any of the rarer components.
pub(crate) struct AgentBlock<'a> {
    pub(crate) plane: SteeringPlane,
    /// One for the coordinates that the plane has, zero for the others.
    pub(crate) has: Vec3,
    pub(crate) tick: &'a TickRef<'a>,
    agents: &'a AgentRows<'a>,
    first: usize,
}

impl AgentBlock<'_> {
    #[inline(always)]
    pub(crate) fn number(&self, i: usize) -> AgentNumber {
        self.agents.number(self.first + i)
    }

    #[inline(always)]
    pub(crate) fn entries(&self) -> &[Entry; WIDTH] {
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
        let mut usual = l.mask(u8::MAX);
        let offset = each!(d => {
            let straight = l.sub(point[d], position[d]);
            usual = l.both(usual, l.le(abs(l, straight), l.splat(f32::MAX)));
            let period = if self.has[d] == 0.0 { f32::INFINITY } else { self.tick.periods[d] };
            let (offset, is_short) = around(l, straight, period);
            usual = l.both(usual, is_short);
            offset
        });
        (offset, l.bits(usual))
    }
}

/// The manner of a [`SteerBlock`].
pub(crate) struct ByBlocks;

impl<B: SteerBlock> Manner<B> for ByBlocks {
    fn steer_plain(asked: Asked<B>, given: Given<B>) {
        dispatch(SteerBlocks { asked, given });
    }
}

struct SteerBlocks<'a, 'w, 's, B: SteeringBehavior> {
    asked: Asked<'a, B>,
    given: Given<'a, 'w, 's, B>,
}

impl<B: SteerBlock> Kernel for SteerBlocks<'_, '_, '_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self { asked: Asked { agents, behaviors, wishes }, given } = self;
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
            look_at_one(&parts, &mut contributions[row], given.tick);
            let wish = Wish::plain(&mut contributions[row], &mut tiers[row]);
            steer_one(&parts, &mut behaviors[row], wish, given);
        }
    }
}

#[inline(always)]
fn steer_eight<L: Lanes, B: SteerBlock>(
    l: L,
    agents: &AgentRows,
    first: usize,
    behaviors: &mut [B; WIDTH],
    common: Option<Blend>,
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [AllTiers; WIDTH]),
    given: &Given<B>,
) {
    let Looked { open, is_new } = look_at_block(l, agents, first, contributions, &given.tick);
    if open == 0 {
        return;
    }
    let (asked, weight) = if let Some(blend) = common {
        (if is_usual(&blend) { open } else { 0 }, l.splat(blend.weight))
    } else {
        let mut asked = open;
        for (i, behavior) in behaviors.iter().enumerate() {
            asked &= !(u8::from(!is_usual(behavior.blend())) << i);
        }
        (asked, pack!(l, i => behaviors[i].blend().weight))
    };
    let plane = given.tick.settings.plane;
    let has = plane.flatten(Vec3::ONE);
    let block = AgentBlock { plane, has, tick: &given.tick, agents, first };
    let (change, done) = B::steer_block(l, asked, behaviors, &block, given.world);
    // Not minus zero either where the plane has nothing.
    let change = flattened(l, each!(d => l.mul(change[d], weight)), has);
    let finite = l.bits(is_finite(l, change));
    let some = done & finite & differ(l, change, [l.splat(0.0); 3]);
    let state =
        if is_new { Some(contributions::OPENED) } else { contributions::shared(contributions) };
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
    if open & done & finite == open {
        return;
    }
    steer_each(*agents, first, [done, finite], behaviors, (contributions, tiers), *given);
}

/// Whether agents with this blend can be asked together.
#[inline(always)]
fn is_usual(blend: &Blend) -> bool {
    blend.enabled & blend.priority.is_none()
}

/// Asks those of eight that could not be asked at once, and complains of those that asked for what is no number. By itself, so
/// that those who need it not do not carry its burden of addresses along.
#[inline(never)]
fn steer_each<B: SteerBlock>(
    agents: AgentRows,
    first: usize,
    [done, finite]: [u8; 2],
    behaviors: &mut [B; WIDTH],
    (contributions, tiers): (&mut [Contributions; WIDTH], &mut [AllTiers; WIDTH]),
    given: Given<B>,
) {
    for i in missing(done & finite) {
        let parts = agents.row::<true>(first + i);
        if done >> i & 1 == 0 {
            let wish = Wish::plain(&mut contributions[i], &mut tiers[i]);
            steer_one(&parts, &mut behaviors[i], wish, given);
        } else {
            complain_of_result(parts.entity, &behaviors[i], given.tick.offences);
        }
    }
}
