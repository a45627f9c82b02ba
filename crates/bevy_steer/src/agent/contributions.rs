//! [`Contributions`]: the requests of an agent's behaviours, until arbitration combines them.

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use crate::{
    agent::parameter::Priority,
    simd::{Lanes, Vector, WIDTH, each},
};

/// The requests of one agent's behaviours in this tick: the weighted sum of the requested changes
/// of velocity in each tier.
///
/// Most agents use one tier, which is kept here; every step of a tick reads it, so it is small.
/// With more tiers, all are in [`TierSums`].
#[repr(C)]
#[derive(Component, Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct Contributions {
    sum: Vec3,
    /// The tier of the sum in the lowest byte, and flags above it: one word, so that the states of
    /// eight agents are compared in one step.
    state: u32,
}

const TIER: u32 = u8::MAX as u32;
const NO_TIER: u32 = TIER;
/// Whether the agent has been validated in this tick.
pub(crate) const CHECKED: u32 = 1 << 8;
/// Whether its behaviours steer the agent in this tick.
pub(crate) const ACTIVE: u32 = 1 << 9;
/// Whether the agent was valid when it was last checked.
pub(crate) const VALID: u32 = 1 << 10;
/// Whether there is more than one tier.
pub(crate) const SPILLED: u32 = 1 << 11;
/// Whether a behaviour moves the agent.
pub(crate) const DRIVEN: u32 = 1 << 12;
/// Whether avoidance must not deflect the agent.
const STRAIGHT: u32 = 1 << 13;
/// The highest bits are the speed at which the agent cruises if no behaviour moves it, as a
/// fraction of top speed in this many steps.
const CRUISE: u32 = 0xFFFF;

/// The state of an agent that has just become [active](Stage::Active).
const ACTIVATED: u32 = NO_TIER | CHECKED | VALID | ACTIVE;

/// The sums of all tiers; valid only if [`Contributions`] has the flag `SPILLED`.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct TierSums(pub [Vec3; Priority::COUNT]);

/// The progress of an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Not validated yet.
    Unchecked,
    /// Its behaviours are steering it.
    Active,
    /// It keeps its last force, see [`ThinkEvery`](crate::ThinkEvery).
    Sleeping,
    /// Its state or its vehicle is invalid: it is ignored.
    Invalid,
}

impl Default for Contributions {
    fn default() -> Self {
        Self { sum: Vec3::ZERO, state: NO_TIER }
    }
}

impl Contributions {
    /// The agent has been validated, for the first time in a tick.
    #[inline(always)]
    pub(crate) fn begin(&mut self, stage: Stage) {
        let flags = match stage {
            Stage::Unchecked => 0,
            Stage::Active => ACTIVATED,
            Stage::Sleeping => CHECKED | VALID,
            Stage::Invalid => CHECKED,
        };
        self.state = NO_TIER | flags;
    }

    /// Ready for the next tick.
    #[inline]
    pub(crate) fn close(&mut self) {
        *self = Self { sum: Vec3::ZERO, state: NO_TIER | (self.state & VALID) };
    }

    #[inline(always)]
    pub(crate) fn stage(&self) -> Stage {
        if self.state & CHECKED == 0 {
            Stage::Unchecked
        } else if self.state & ACTIVE != 0 {
            Stage::Active
        } else if self.is_valid() {
            Stage::Sleeping
        } else {
            Stage::Invalid
        }
    }

    /// Whether the agent was valid when it was last checked.
    #[inline]
    pub(crate) fn is_valid(&self) -> bool {
        self.state & VALID != 0
    }

    /// Avoidance may not lead the agent aside in this tick.
    #[inline]
    pub(crate) fn go_straight(&mut self) {
        self.state |= STRAIGHT;
    }

    /// Whether avoidance may not lead the agent aside in this tick.
    #[inline]
    pub(crate) fn goes_straight(&self) -> bool {
        self.state & STRAIGHT != 0
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, all: &mut TierSums, change: Vec3, priority: Priority) {
        // Mostly there is none of behaviours that avoid something.
        if change != Vec3::ZERO {
            self.add_some(all, change, priority);
        }
    }

    /// [`add`](Self::add) for a change that is not zero.
    #[inline(always)]
    pub(crate) fn add_some(&mut self, all: &mut TierSums, change: Vec3, priority: Priority) {
        let (before, tier) = (self.state & TIER, priority.tier() as u32);
        if self.state & SPILLED != 0 {
            all.0[priority.tier()] += change;
        } else if before == tier {
            self.sum += change;
        } else if before == NO_TIER {
            self.state = self.state & !TIER | tier;
            self.sum = change;
        } else {
            self.state |= SPILLED;
            *all = TierSums::default();
            all.0[before as usize] = self.sum;
            all.0[priority.tier()] = change;
        }
    }

    /// A behaviour says where the agent goes.
    #[inline]
    pub(crate) fn drive(&mut self) {
        self.state |= DRIVEN;
    }

    #[inline]
    pub(crate) fn is_driven(&self) -> bool {
        self.state & DRIVEN != 0
    }

    /// Unless a behaviour moves it, the agent cruises at this share of its top speed, or faster.
    #[inline(always)]
    pub(crate) fn cruise_at(&mut self, share: f32) {
        if share > 0.0 {
            let steps = ((share.min(1.0) * CRUISE as f32 + 0.5) as u32).max(1);
            self.state = self.state & CRUISE | (self.state >> 16).max(steps) << 16;
        }
    }

    /// The share of its top speed at which it cruises unless a behaviour moves it; zero if it does
    /// not.
    #[inline]
    pub(crate) fn cruise(&self) -> f32 {
        (self.state >> 16) as f32 * (1.0 / CRUISE as f32)
    }

    /// The sum of all requests, if they are in no more than one tier.
    #[inline]
    pub(crate) fn only_tier(&self) -> Option<Vec3> {
        (self.state & SPILLED == 0).then_some(self.sum)
    }

    /// The sum of the only tier, if there are no others; and the word that is next to it in memory.
    #[inline]
    pub(crate) fn first(&self) -> (Vec3, f32) {
        (self.sum, f32::from_bits(self.state))
    }

    pub(crate) fn tiers(&self, all: &TierSums) -> [Vec3; Priority::COUNT] {
        if self.state & SPILLED != 0 {
            return all.0;
        }
        let mut tiers = TierSums::default().0;
        if let Some(tier) = tiers.get_mut((self.state & TIER) as usize) {
            *tier = self.sum;
        }
        tiers
    }
}

/// The state of eight agents, if it is that of all and there is no request in it.
#[inline(always)]
pub(crate) fn without_requests(agents: &[Contributions; WIDTH]) -> Option<u32> {
    let (all, any) = all_and_any(agents);
    (all == any && all & TIER == NO_TIER).then_some(all)
}

/// [`Contributions::add_some`] for the agents with a bit set in `some`. All eight have the same
/// state, without requests.
#[inline(always)]
pub(crate) fn add_first<L: Lanes>(
    l: L,
    agents: &mut [Contributions; WIDTH],
    state: u32,
    changes: Vector<L>,
    some: u8,
    priority: Priority,
) {
    let some = l.bits_to_mask(some);
    let number = |state| l.splat(f32::from_bits(state));
    let states = l.select(some, number(state & !TIER | priority.tier() as u32), number(state));
    let [x, y, z] = each!(d => l.mask(some, changes[d]));
    *bytemuck::cast_mut(agents) = l.rows([x, y, z, states]);
}

/// Sets a flag of those of eight agents with a bit set in `which`.
#[inline(always)]
pub(crate) fn mark(agents: &mut [Contributions; WIDTH], which: u8, flag: u32) {
    if flag != 0 {
        for (i, one) in agents.iter_mut().enumerate() {
            one.state |= if which >> i & 1 == 1 { flag } else { 0 };
        }
    }
}

/// Which of eight agents go on with their last forces, one bit each.
#[inline(always)]
pub(crate) fn sleeping(agents: &[Contributions; WIDTH]) -> u8 {
    with_flag(agents, CHECKED) & with_flag(agents, VALID) & !with_flag(agents, ACTIVE)
}

/// The flags that all eight states have, and those that any has.
#[inline(always)]
fn all_and_any(agents: &[Contributions; WIDTH]) -> (u32, u32) {
    agents.iter().fold((u32::MAX, 0), |(all, any), one| (all & one.state, any | one.state))
}

/// Which of eight agents have this flag, one bit each.
#[inline(always)]
pub(crate) fn with_flag(agents: &[Contributions; WIDTH], flag: u32) -> u8 {
    let (all, any) = all_and_any(agents);
    // Usually all eight are the same.
    if all & flag != 0 {
        u8::MAX
    } else if any & flag == 0 {
        0
    } else {
        let bit = |(i, one): (usize, &Contributions)| u8::from(one.state & flag != 0) << i;
        agents.iter().enumerate().map(bit).sum()
    }
}

/// The turns that an agent's behaviours request, only on agents with
/// [`AngularVelocity`](crate::AngularVelocity).
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct AngularContributions {
    pub tiers: [Vec3; Priority::COUNT],
    /// Whether any behaviour has contributed.
    pub has_some: bool,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::simd::{Portable, vector};

    pub(crate) fn contributions_of(requests: &[(Vec3, Priority)]) -> (Contributions, TierSums) {
        let (mut contributions, mut others) = Default::default();
        for &(request, tier) in requests {
            Contributions::add(&mut contributions, &mut others, request, tier);
        }
        (contributions, others)
    }

    #[test]
    fn every_tier_has_its_sum() {
        let requests = [
            (Vec3::Y, Priority::Low),
            (Vec3::X * 2.0, Priority::Critical),
            (Vec3::X * 2.0, Priority::Critical),
            (Vec3::Y, Priority::Low),
        ];
        let (contributions, others) = contributions_of(&requests);
        let tiers = contributions.tiers(&others);
        assert_eq!(tiers, [Vec3::X * 4.0, Vec3::ZERO, Vec3::ZERO, Vec3::Y * 2.0]);
    }

    #[test]
    fn close_forgets_the_last_tick() {
        let (mut contributions, mut others) =
            contributions_of(&[(Vec3::X, Priority::Critical), (Vec3::Y, Priority::Low)]);
        contributions.close();
        assert_eq!(contributions.tiers(&others), [Vec3::ZERO; 4]);
        for tier in [Priority::High, Priority::Normal] {
            contributions.add(&mut others, Vec3::Z, tier);
        }
        assert_eq!(contributions.tiers(&others), [Vec3::ZERO, Vec3::Z, Vec3::Z, Vec3::ZERO]);
    }

    #[test]
    fn add_first_agrees_with_one_by_one() {
        let l = Portable;
        let mut eight = [Contributions::default(); WIDTH];
        eight.iter_mut().for_each(|one| one.begin(Stage::Active));
        let mut others = [TierSums::default(); WIDTH];
        let changes: [Vec3; WIDTH] = core::array::from_fn(|i| Vec3::new(i as f32, -1.0, 0.5));
        let columns = vector!(l, i => changes[i]);
        let parts = |all: [Contributions; WIDTH]| all.map(|one| (one.sum, one.state));
        for some in [u8::MAX, 0b0110_0101] {
            eight.iter_mut().for_each(|one| *one = Contributions::default());
            eight.iter_mut().for_each(|one| one.begin(Stage::Active));
            let mut one_by_one = eight;
            for i in (0..WIDTH).filter(|i| some >> i & 1 == 1) {
                one_by_one[i].add_some(&mut others[i], changes[i], Priority::Low);
            }
            assert_eq!(without_requests(&eight), Some(ACTIVATED));
            add_first(l, &mut eight, ACTIVATED, columns, some, Priority::Low);
            assert_eq!(parts(eight), parts(one_by_one));
        }

        // Not a second time, nor where one is at another stage.
        assert_eq!(without_requests(&eight), None);
        add_first(l, &mut eight, ACTIVATED, columns, u8::MAX, Priority::Low);
        assert_eq!(without_requests(&eight), None);
        eight.iter_mut().for_each(|one| one.begin(Stage::Active));
        eight[5].begin(Stage::Sleeping);
        assert_eq!(without_requests(&eight), None);
    }

    #[test]
    fn begin_sets_the_stage() {
        let mut one = Contributions::default();
        assert_eq!((one.stage(), one.is_valid()), (Stage::Unchecked, false));
        for (stage, is_valid) in
            [(Stage::Active, true), (Stage::Sleeping, true), (Stage::Invalid, false)]
        {
            one.begin(stage);
            assert_eq!((one.stage(), one.is_valid()), (stage, is_valid));
            one.close();
            assert_eq!((one.stage(), one.is_valid()), (Stage::Unchecked, is_valid));
            assert_eq!(one.state == NO_TIER | VALID, is_valid);
        }
    }

    #[test]
    fn stages_of_eight() {
        let mut eight = [Contributions::default(); WIDTH];
        let all = |eight: &_| {
            let [checked, active, valid, spilled] =
                [CHECKED, ACTIVE, VALID, SPILLED].map(|flag| with_flag(eight, flag));
            [checked, active, valid, spilled, sleeping(eight)]
        };
        assert_eq!(all(&eight), [0; 5]);
        eight.iter_mut().for_each(|one| one.begin(Stage::Active));
        assert_eq!(all(&eight), [u8::MAX, u8::MAX, u8::MAX, 0, 0]);
        eight[0] = Contributions::default();
        eight[1].begin(Stage::Sleeping);
        eight[2].begin(Stage::Invalid);
        for tier in [Priority::High, Priority::Low] {
            eight[7].add(&mut TierSums::default(), Vec3::X, tier);
        }
        let bits = [0b1111_1110, 0b1111_1000, 0b1111_1010, 0b1000_0000, 0b0000_0010];
        assert_eq!(all(&eight), bits);
    }
}
