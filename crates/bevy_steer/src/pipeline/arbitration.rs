//! [`Arbitration`]: how the wishes of several behaviours become one change of velocity.

use bevy::prelude::*;
use rand::RngExt;

use crate::{
    agent::{
        blend::Priority,
        contributions::{AngularContributions, Contributions, TierSums},
        id::AgentId,
        parameter::{RuntimeState, Unit},
        random::RandomStream,
    },
    simd::{
        lanes::Arithmetic,
        one::One,
        vector::{Vector, dot, each, length, split, truncation},
    },
    space::vector::truncate,
};

/// How an agent's behaviours are combined. An agent without this component uses
/// [`Prioritized`](Self::Prioritized).
///
/// Inside a tier corrections are always summed by weight. The sources are Reynolds (1999),
/// "Steering Behaviors For Autonomous Characters", section "Combining Behaviors", and Buckland
/// (2005), "Programming Game AI by Example", chapter 3.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Arbitration {
    /// All corrections are added, whatever their tiers. Opposite wishes can cancel.
    WeightedSum,
    /// Tier by tier, most urgent first, until `max_force` is spent; a tier that asks for more than
    /// is left gets what is left. So avoiding a crash comes before seeking.
    ///
    /// A lower tier may add along the wish of a higher one or across it, and does not undo it: what
    /// points back along what a higher tier was given is left out of its wish. What is spent is the
    /// length of the sum so far.
    #[default]
    Prioritized,
    /// Only the first tier that wishes a change of velocity larger than `epsilon` (units a second)
    /// counts.
    FirstActive {
        /// Smaller changes are ignored, in units a second.
        #[reflect(@Unit::Speed)]
        epsilon: f32,
    },
    /// Each tier is drawn with a chance; only the first that is drawn and wishes anything counts,
    /// scaled up by one over its chance. The tiers below are drawn only where it was not, so all
    /// get their share over time.
    Dithered {
        /// The chance of each tier, most urgent first, 0 to 1.
        chances: [f32; Priority::COUNT],
        /// Where the random numbers come from.
        #[reflect(@RuntimeState)]
        stream: RandomStream,
    },
}

impl Arbitration {
    /// Dithering with Buckland's proportions: avoiding is drawn nine times in ten, the others
    /// eight.
    pub fn dithered() -> Self {
        Self::Dithered { chances: [0.9, 0.8, 0.8, 0.8], stream: RandomStream::default() }
    }
}

impl Contributions {
    /// One change of velocity, no longer than `budget` (units a second), and what of each tier is
    /// in it.
    #[inline]
    pub(crate) fn arbitrate(
        &self,
        all: &TierSums,
        mode: Option<&mut Arbitration>,
        budget: f32,
        seed: u64,
        id: AgentId,
    ) -> (Vec3, Passed) {
        let (wish, passed) = match mode {
            None | Some(Arbitration::Prioritized) => {
                let tiers = self.tiers(all);
                let (wish, shares, added) = prioritized(One, |tier| tiers[tier].to_array(), budget);
                (wish.into(), Passed { shares, added: added.map(Vec3::from) })
            }
            Some(Arbitration::WeightedSum) => (self.tiers(all).iter().sum(), Passed::ALL),
            Some(Arbitration::FirstActive { epsilon }) => {
                Passed::of(first_active(&self.tiers(all), *epsilon))
            }
            Some(Arbitration::Dithered { chances, stream }) => {
                const SALT: u64 = 0xD174;
                let generator = stream.generator(seed, id, SALT);
                // One number a tier whether it is needed or not, so that the stream does not depend
                // on the wishes.
                let draws: [f32; Priority::COUNT] =
                    core::array::from_fn(|_| generator.random::<f32>());
                Passed::of(dithered(&self.tiers(all), chances, &draws))
            }
        };
        (truncate(wish, budget), passed)
    }
}

/// Which share of each tier's wish arbitration lets through, before the sum is truncated.
pub(crate) type Shares = [f32; Priority::COUNT];

/// What arbitration lets through of each tier, before the sum is truncated: a share of its wish
/// with something added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub(crate) shares: Shares,
    /// What takes out of the wish what points back along the tiers above it, in units a second.
    pub(crate) added: [Vec3; Priority::COUNT],
}

impl Passed {
    pub(crate) const ALL: Self =
        Self { shares: [1.0; Priority::COUNT], added: [Vec3::ZERO; Priority::COUNT] };

    /// A sum, and shares of wishes that are as they were.
    fn of((sum, shares): (Vec3, Shares)) -> (Vec3, Self) {
        (sum, Self { shares, ..Self::ALL })
    }
}

impl AngularContributions {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, change: Vec3, tier: Priority) {
        self.tiers[tier as usize] += change;
        self.has_some = true;
    }

    /// One change of angular velocity. As nothing limits the sum, a mode with tiers takes the most
    /// urgent that wishes a turn. Without any contribution the turning is braked.
    #[inline(always)]
    pub(crate) fn arbitrate(&self, mode: Option<&Arbitration>, angular_velocity: Vec3) -> Vec3 {
        if !self.has_some {
            -angular_velocity
        } else if matches!(mode, Some(Arbitration::WeightedSum)) {
            self.tiers.iter().sum()
        } else {
            first_active(&self.tiers, 0.0).0
        }
    }

    /// Which share of each tier is in that.
    pub(crate) fn shares(&self, mode: Option<&Arbitration>) -> Shares {
        match mode {
            Some(Arbitration::WeightedSum) => [1.0; Priority::COUNT],
            _ => first_active(&self.tiers, 0.0).1,
        }
    }
}

/// What is left of a wish when what points back has been taken out is a direction only if it is more
/// than this share of the wish; less is rounding.
const LEFT: f32 = 1e-3;

/// [`Arbitration::Prioritized`]: the sum of the tiers, most urgent first, each without what points
/// back along those before it, cut to what these leave of the budget; which share of each tier is
/// in it, and what is added to its wish before.
#[inline(always)]
pub(crate) fn prioritized<L: Arithmetic>(
    l: L,
    tier: impl Fn(usize) -> Vector<L>,
    budget: L::F,
) -> (Vector<L>, [L::F; Priority::COUNT], [Vector<L>; Priority::COUNT]) {
    let zero = l.splat(0.0);
    let (mut sum, mut shares) = ([zero; 3], [zero; Priority::COUNT]);
    let (mut added, mut taken) = ([[zero; 3]; Priority::COUNT], [[zero; 3]; Priority::COUNT]);
    let mut is_first = true;
    for index in 0..Priority::COUNT {
        let wish = tier(index);
        // Each tier waits for what the one before it leaves; most are empty.
        // Not by its square, which is zero for a tiny wish too.
        let [x, y, z] = each!(d => l.abs(wish[d]));
        let is_some = l.lt(zero, l.add(l.add(x, y), z));
        if !l.any(is_some) {
            continue;
        }
        let mut rest = wish;
        let mut is_left = is_some;
        if !is_first {
            // None of the directions points back along another, so what is added along one takes
            // nothing from the others.
            for direction in &taken[..index] {
                let back = l.max(l.neg(dot(l, rest, *direction)), zero);
                rest = each!(d => l.add(rest[d], l.mul(direction[d], back)));
                let sum = added[index];
                added[index] = each!(d => l.add(sum[d], l.mul(direction[d], back)));
            }
            let least = l.mul(length(l, added[index]), l.splat(LEFT));
            is_left = l.and(is_left, l.lt(least, length(l, rest)));
        }
        is_first = false;
        let left = l.sub(budget, length(l, sum));
        let share = l.mask(is_left, truncation(l, rest, left));
        let given = each!(d => l.mul(rest[d], share));
        (shares[index], taken[index]) = (share, split(l, given).0);
        sum = each!(d => l.add(sum[d], given[d]));
    }
    (sum, shares, added)
}

fn first_active(tiers: &[Vec3; Priority::COUNT], epsilon: f32) -> (Vec3, Shares) {
    let active = tiers.iter().position(|tier| tier.length() > epsilon);
    active.map_or_else(Default::default, |tier| (tiers[tier], only(tier, 1.0)))
}

fn dithered(
    tiers: &[Vec3; Priority::COUNT],
    chances: &[f32; Priority::COUNT],
    draws: &[f32; Priority::COUNT],
) -> (Vec3, Shares) {
    for (tier, (&wish, (&chance, &draw))) in tiers.iter().zip(chances.iter().zip(draws)).enumerate()
    {
        if draw < chance && wish != Vec3::ZERO {
            return (wish / chance, only(tier, 1.0 / chance));
        }
    }
    Default::default()
}

fn only(tier: usize, share: f32) -> Shares {
    let mut shares = [0.0; Priority::COUNT];
    shares[tier] = share;
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::contributions::tests::contributions_of;

    fn arbitrated(wishes: &[(Vec3, Priority)], mut mode: Arbitration, budget: f32) -> Vec3 {
        let (contributions, others) = contributions_of(wishes);
        contributions.arbitrate(&others, Some(&mut mode), budget, 0, AgentId(0)).0
    }

    #[test]
    fn weighted_sum_adds_everything_and_truncates_by_length() {
        let wishes = [(Vec3::X * 3.0, Priority::Critical), (Vec3::Y * 4.0, Priority::Low)];
        assert_eq!(arbitrated(&wishes, Arbitration::WeightedSum, 10.0), Vec3::new(3.0, 4.0, 0.0));
        let cut = arbitrated(&wishes, Arbitration::WeightedSum, 1.0);
        assert!((cut - Vec3::new(0.6, 0.8, 0.0)).length() < 1e-6);
    }

    #[test]
    fn opposite_wishes_cancel_only_in_a_sum() {
        let wishes = [(Vec3::X * 4.0, Priority::Critical), (Vec3::NEG_X * 4.0, Priority::Normal)];
        assert_eq!(arbitrated(&wishes, Arbitration::WeightedSum, 5.0), Vec3::ZERO);
        // The second does not undo the first.
        assert_eq!(arbitrated(&wishes, Arbitration::Prioritized, 5.0), Vec3::X * 4.0);
        assert_eq!(arbitrated(&wishes, Arbitration::Prioritized, 4.0), Vec3::X * 4.0);
    }

    #[test]
    fn prioritized_cuts_a_tier_to_what_is_left() {
        let wishes = [(Vec3::X * 3.0, Priority::High), (Vec3::Y * 9.0, Priority::Low)];
        assert_eq!(arbitrated(&wishes, Arbitration::Prioritized, 4.0), Vec3::new(3.0, 1.0, 0.0));
    }

    #[test]
    fn lower_tiers_do_not_undo_a_higher_one() {
        let opposed = [Priority::High, Priority::Low].map(|tier| (Vec3::NEG_X * 10.0, tier));
        let wishes = [(Vec3::X, Priority::Critical), opposed[0], opposed[1]];
        assert_eq!(arbitrated(&wishes, Arbitration::Prioritized, 9.0), Vec3::X);
        // What goes along it and across it is added.
        let wishes = [(Vec3::X, Priority::Critical), (Vec3::new(-8.0, 2.0, 0.0), Priority::Low)];
        let sum = arbitrated(&wishes, Arbitration::Prioritized, 9.0);
        assert_eq!(sum, Vec3::new(1.0, 2.0, 0.0));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..default() })]

        #[test]
        fn no_tier_is_reversed_by_those_below(
            wishes in prop::array::uniform4(prop_oneof![
                4 => prop::array::uniform3(-10.0_f32..10.0),
                1 => prop::array::uniform3(-1_i8..=1).prop_map(|wish| wish.map(f32::from)),
                1 => prop::array::uniform3(-1e9_f32..1e9),
            ]),
            budget in 0.1_f32..40.0,
        ) {
            let upto = |last: usize| {
                let tier = |tier: usize| if tier <= last { wishes[tier] } else { [0.0; 3] };
                Vec3::from(prioritized(One, tier, budget).0)
            };
            let (sum, shares, added) = prioritized(One, |tier| wishes[tier], budget);
            let (sum, added) = (Vec3::from(sum), added.map(Vec3::from));
            prop_assert!(sum.is_finite() && sum.length() <= budget * 1.001);
            let mut total = Vec3::ZERO;
            for (tier, (share, added)) in shares.into_iter().zip(added).enumerate() {
                let given = (Vec3::from(wishes[tier]) + added) * share;
                total += given;
                let taken = given.normalize_or_zero();
                let (alone, all) = (upto(tier).dot(taken), sum.dot(taken));
                prop_assert!(all >= alone - 1e-3 * budget, "{tier}: {all} of {alone}");
            }
            prop_assert!(total.distance(sum) <= 1e-3 * budget, "{total} is not {sum}");
        }
    }

    #[test]
    fn first_active_ignores_small_wishes() {
        let wishes = [(Vec3::X * 0.1, Priority::Critical), (Vec3::Y, Priority::Low)];
        let mode = |epsilon| Arbitration::FirstActive { epsilon };
        assert_eq!(arbitrated(&wishes, mode(0.5), 9.0), Vec3::Y);
        assert_eq!(arbitrated(&wishes, mode(0.05), 9.0), Vec3::X * 0.1);
        assert_eq!(arbitrated(&wishes, mode(5.0), 9.0), Vec3::ZERO);
    }

    #[test]
    fn dithering_gives_every_tier_its_share() {
        let (contributions, others) =
            contributions_of(&[(Vec3::X, Priority::Critical), (Vec3::Y, Priority::Normal)]);
        let mut mode = Arbitration::Dithered {
            chances: [0.5, 1.0, 1.0, 1.0],
            stream: RandomStream::default(),
        };
        let mut sum = Vec3::ZERO;
        for _ in 0..4000 {
            sum += contributions.arbitrate(&others, Some(&mut mode), 10.0, 1, AgentId(3)).0;
        }
        // The first half of the time at double strength; the other half goes to the second.
        assert!((sum.x / 4000.0 - 1.0).abs() < 0.1, "{sum}");
        assert!((sum.y / 4000.0 - 0.5).abs() < 0.05, "{sum}");
    }

    #[test]
    fn turning_without_a_wish_is_braked() {
        let mut angular = AngularContributions::default();
        assert_eq!(angular.arbitrate(None, Vec3::Z * 2.0), Vec3::Z * -2.0);
        angular.add(Vec3::ZERO, Priority::Normal);
        assert_eq!(angular.arbitrate(None, Vec3::Z * 2.0), Vec3::ZERO);
    }
}
