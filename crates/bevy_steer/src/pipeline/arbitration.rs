//! [`Arbitration`]: how the requests of several behaviours become one change of velocity.

use bevy::prelude::*;
use rand::RngExt;

use crate::{
    agent::{
        AgentId, AngularContributions, Contributions, Memory, Priority, RandomStream, TierSums,
        Unit,
    },
    simd::{Arithmetic, One, Vector, dot, each, length, truncation},
    space::truncate,
};

/// How an agent's behaviours are combined. An agent without this component uses
/// [`Prioritized`](Self::Prioritized).
///
/// The requests of a tier are always summed by weight. The sources are Reynolds (1999), "Steering
/// Behaviors For Autonomous Characters", section "Combining Behaviors", and Buckland (2005),
/// "Programming Game AI by Example", chapter 3.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Arbitration {
    /// All requests are added, whatever their tiers. Opposite requests can cancel.
    WeightedSum,
    /// The tiers are served in order, most urgent first, until `max_force` is used up; a tier that
    /// requests more gets the remaining force. So avoidance comes before seeking.
    ///
    /// The force used is the length of the sum so far: a tier that opposes a more urgent one leaves
    /// more for the other tiers. It may cancel a more urgent request, but not reverse it: it is
    /// scaled down so that the sum along that request does not become negative. A request smaller
    /// than a quarter of its opposition gradually loses this protection.
    #[default]
    Prioritized,
    /// The first tier that requests a change of velocity larger than `epsilon` (units a second)
    /// gets all the force.
    FirstActive {
        /// Smaller changes are ignored, in units a second.
        #[reflect(@Unit::Speed)]
        epsilon: f32,
    },
    /// The tiers are drawn in order, each with its chance, until one that requests a change is
    /// drawn. It gets all the force, scaled up by the reciprocal of its chance, so that all tiers
    /// get their share over time.
    Dithered {
        /// The chance of each tier, most urgent first, 0 to 1.
        chances: [f32; Priority::COUNT],
        /// The source of the random numbers.
        stream: Memory<RandomStream>,
    },
}

impl Arbitration {
    /// [`Dithered`](Self::Dithered) with Buckland's chances: 0.9 for avoidance, 0.8 for the other
    /// tiers.
    pub fn dithered() -> Self {
        Self::Dithered { chances: [0.9, 0.8, 0.8, 0.8], stream: default() }
    }
}

/// The share of each tier's request that gets through arbitration, before the sum is truncated.
pub(crate) type Shares = [f32; Priority::COUNT];

impl Contributions {
    /// The resulting change of velocity, at most `budget` (units a second), and the share of each
    /// tier in it.
    #[inline]
    pub(crate) fn arbitrate(
        &self,
        all: &TierSums,
        mode: Option<&mut Arbitration>,
        budget: f32,
        seed: u64,
        id: AgentId,
    ) -> (Vec3, Shares) {
        let (request, shares) = match mode {
            None | Some(Arbitration::Prioritized) => {
                let tiers = self.tiers(all);
                let (request, shares) = prioritized(One, |tier| tiers[tier].to_array(), budget);
                (request.into(), shares)
            }
            Some(Arbitration::WeightedSum) => {
                (self.tiers(all).iter().sum(), [1.0; Priority::COUNT])
            }
            Some(Arbitration::FirstActive { epsilon }) => first_active(&self.tiers(all), *epsilon),
            Some(Arbitration::Dithered { chances, stream }) => {
                const SALT: u64 = 0xD174;
                let generator = stream.generator(seed, id, SALT);
                // One number for each tier, needed or not, so that the stream does not depend on
                // the requests.
                let draws: [f32; Priority::COUNT] =
                    core::array::from_fn(|_| generator.random::<f32>());
                dithered(&self.tiers(all), chances, &draws)
            }
        };
        (truncate(request, budget), shares)
    }
}

impl AngularContributions {
    #[inline]
    pub(crate) fn add(&mut self, change: Vec3, priority: Priority) {
        self.tiers[priority.tier()] += change;
        self.has_some = true;
    }

    /// One change of angular velocity, and the share of each tier in it. As nothing limits the sum,
    /// a mode with tiers takes the most urgent that requests a turn. Without any contribution the
    /// turning is braked.
    pub(crate) fn arbitrate(
        &self,
        mode: Option<&Arbitration>,
        angular_velocity: Vec3,
    ) -> (Vec3, Shares) {
        if !self.has_some {
            (-angular_velocity, Shares::default())
        } else if matches!(mode, Some(Arbitration::WeightedSum)) {
            (self.tiers.iter().sum(), [1.0; Priority::COUNT])
        } else {
            first_active(&self.tiers, 0.0)
        }
    }
}

/// [`Arbitration::Prioritized`]: the sum of the tiers, most urgent first, each reduced to the
/// remaining budget and so that it does not reverse a more urgent one; and the share of each tier.
#[inline(always)]
pub(crate) fn prioritized<L: Arithmetic>(
    l: L,
    tier: impl Fn(usize) -> Vector<L>,
    budget: L::F,
) -> (Vector<L>, [L::F; Priority::COUNT]) {
    let zero = l.splat(0.0);
    let (mut sum, mut shares) = ([zero; 3], [zero; Priority::COUNT]);
    let (mut taken, mut count) = ([[zero; 3]; Priority::COUNT], 0);
    for (index, share) in shares.iter_mut().enumerate() {
        let request = tier(index);
        // Each tier depends on the budget that the one before it leaves; most are empty.
        // Not by its square, which is zero for a tiny request too.
        let [x, y, z] = each!(d => l.abs(request[d]));
        let is_some = l.lt(zero, l.add(l.add(x, y), z));
        if !l.any(is_some) {
            continue;
        }
        let left = l.sub(budget, length(l, sum));
        *share = l.mask(is_some, truncation(l, request, left));
        let cut = each!(d => l.mul(request[d], *share));
        let passed = share_that_reverses_none(l, cut, &taken[..count], sum);
        *share = l.mul(*share, passed);
        taken[count] = each!(d => l.mul(cut[d], passed));
        sum = each!(d => l.add(sum[d], taken[count][d]));
        count += 1;
    }
    (sum, shares)
}

/// A request smaller than this fraction of its opposition is partly reversed. Otherwise the
/// direction of a request that fades to zero would still decide.
const HOLDS: f32 = 0.25;

/// The share of a request that does not reverse the more urgent tiers, given the requests that were
/// taken from these.
#[inline(always)]
fn share_that_reverses_none<L: Arithmetic>(
    l: L,
    request: Vector<L>,
    above: &[Vector<L>],
    sum: Vector<L>,
) -> L::F {
    let (zero, one) = (l.splat(0.0), l.splat(1.0));
    let mut share = one;
    for &own in above {
        let against = l.neg(dot(l, request, own));
        let reversed = l.sub(against, l.max(dot(l, sum, own), zero));
        let holds = l.div(dot(l, own, own), l.mul(l.splat(HOLDS), against));
        let cut = l.mul(l.min(holds, one), l.div(reversed, against));
        share = l.min(share, l.sub(one, l.mask(l.lt(zero, reversed), cut)));
    }
    share
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
    for (tier, (&request, (&chance, &draw))) in
        tiers.iter().zip(chances.iter().zip(draws)).enumerate()
    {
        if draw < chance && request != Vec3::ZERO {
            return (request / chance, only(tier, 1.0 / chance));
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
    use super::*;
    use crate::agent::contributions::tests::contributions_of;
    use proptest::prelude::*;

    fn arbitrated(requests: &[(Vec3, Priority)], mut mode: Arbitration, budget: f32) -> Vec3 {
        let (contributions, others) = contributions_of(requests);
        contributions.arbitrate(&others, Some(&mut mode), budget, 0, AgentId(0)).0
    }

    #[test]
    fn weighted_sum_adds_everything_and_truncates_by_length() {
        let requests = [(Vec3::X * 3.0, Priority::Critical), (Vec3::Y * 4.0, Priority::Low)];
        assert_eq!(arbitrated(&requests, Arbitration::WeightedSum, 10.0), Vec3::new(3.0, 4.0, 0.0));
        let cut = arbitrated(&requests, Arbitration::WeightedSum, 1.0);
        assert!((cut - Vec3::new(0.6, 0.8, 0.0)).length() < 1e-6);
    }

    #[test]
    fn opposite_wishes_cancel_only_in_a_sum() {
        let requests = [(Vec3::X * 4.0, Priority::Critical), (Vec3::NEG_X * 4.0, Priority::Normal)];
        assert_eq!(arbitrated(&requests, Arbitration::WeightedSum, 5.0), Vec3::ZERO);
        // 4 of 5 go to the first, the 1 that is left to the second.
        assert_eq!(arbitrated(&requests, Arbitration::Prioritized, 5.0), Vec3::X * 3.0);
        assert_eq!(arbitrated(&requests, Arbitration::Prioritized, 4.0), Vec3::X * 4.0);
    }

    #[test]
    fn lower_tiers_may_cancel_a_higher_one_but_not_reverse_it() {
        let prioritized =
            |requests: &[(Vec3, Priority)]| arbitrated(requests, Arbitration::Prioritized, 20.0);
        let [first, second, third] = [Priority::Critical, Priority::High, Priority::Low];
        let back = Vec3::NEG_X * 10.0;
        let is = |found: Vec3, wanted: Vec3| (found - wanted).length() < 1e-5;
        let canceled = prioritized(&[(Vec3::X * 3.0, first), (back, second), (back, third)]);
        assert!(is(canceled, Vec3::ZERO), "{canceled}");
        // Half of it cancels the first.
        let aside = prioritized(&[(Vec3::X * 4.0, first), (Vec3::new(-8.0, 6.0, 0.0), third)]);
        assert!(is(aside, Vec3::Y * 3.0), "{aside}");
        // A fading request lets go.
        let fading = |x: f32| prioritized(&[(Vec3::X * x, first), (back, third)]).x;
        assert!(fading(1e-6) < -9.99 && fading(1.25) > -5.0 && fading(1.25) < -3.0);
        assert!((fading(0.4) - fading(0.401)).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn no_tier_that_holds_is_reversed(
            requests in prop::array::uniform4(prop::array::uniform3(-10.0_f32..10.0)),
            sizes in prop::array::uniform4(prop::sample::select(vec![0.0_f32, 1e-3, 0.1, 1.0, 10.0])),
            budget in 0.1_f32..200.0,
        ) {
            let requests: [Vec3; Priority::COUNT] =
                core::array::from_fn(|i| Vec3::from_array(requests[i]) * sizes[i]);
            let tier = |tier: usize| requests[tier].to_array();
            let (sum, shares) = prioritized(One, tier, budget);
            let sum = Vec3::from_array(sum);
            prop_assert!(sum.length() <= budget * 1.0001);
            let mut so_far = Vec3::ZERO;
            for (i, own) in requests.iter().enumerate() {
                prop_assert!((0.0..=1.0).contains(&shares[i]));
                let (direction, size) = (*own * shares[i]).normalize_and_length();
                so_far += direction * size;
                let against = |j: usize| -requests[j].dot(direction);
                let opposed = (i + 1..Priority::COUNT).map(against).fold(0.0, f32::max);
                // What those above leave of it is what those below must not reverse.
                let is_reversed = sum.dot(direction) < so_far.dot(direction).min(0.0) - 1e-4 * budget;
                prop_assert!(size < HOLDS * opposed || !is_reversed, "{i} {requests:?} {sum}");
            }
        }
    }

    #[test]
    fn prioritized_cuts_a_tier_to_what_is_left() {
        let requests = [(Vec3::X * 3.0, Priority::High), (Vec3::Y * 9.0, Priority::Low)];
        assert_eq!(arbitrated(&requests, Arbitration::Prioritized, 4.0), Vec3::new(3.0, 1.0, 0.0));
    }

    #[test]
    fn first_active_ignores_small_wishes() {
        let requests = [(Vec3::X * 0.1, Priority::Critical), (Vec3::Y, Priority::Low)];
        let mode = |epsilon| Arbitration::FirstActive { epsilon };
        assert_eq!(arbitrated(&requests, mode(0.5), 9.0), Vec3::Y);
        assert_eq!(arbitrated(&requests, mode(0.05), 9.0), Vec3::X * 0.1);
        assert_eq!(arbitrated(&requests, mode(5.0), 9.0), Vec3::ZERO);
    }

    #[test]
    fn dithering_gives_every_tier_its_share() {
        let (contributions, others) =
            contributions_of(&[(Vec3::X, Priority::Critical), (Vec3::Y, Priority::Normal)]);
        let mut mode = Arbitration::Dithered { chances: [0.5, 1.0, 1.0, 1.0], stream: default() };
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
        assert_eq!(angular.arbitrate(None, Vec3::Z * 2.0).0, Vec3::Z * -2.0);
        angular.add(Vec3::ZERO, Priority::Normal);
        assert_eq!(angular.arbitrate(None, Vec3::Z * 2.0).0, Vec3::ZERO);
    }
}
