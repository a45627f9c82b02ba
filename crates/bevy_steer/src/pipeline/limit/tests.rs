//! The permitted velocity of random problems.

use bevy::prelude::*;
use proptest::prelude::*;

use crate::{
    agent::{HalfSpace, Haste, SOFT_ROOM, SoftLimits, VelocityLimit, VelocityLimits, keep},
    pipeline::limit::solver::{Motion, permitted_velocity, softly_permitted},
    simd::{Kernel, Lanes, One, WIDTH, at, dispatch, every, pack, unpacked, vector},
    space::{SteeringPlane, truncate},
};

/// Random numbers, for searches: xorshift.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn part(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    /// A point in the unit ball.
    fn point(&mut self, plane: SteeringPlane) -> Vec3 {
        loop {
            let point = Vec3::from_array(core::array::from_fn(|_| self.part() * 2.0 - 1.0));
            if plane.flatten(point).length_squared() <= 1.0 {
                return plane.flatten(point);
            }
        }
    }

    fn normal(&mut self, plane: SteeringPlane) -> Vec3 {
        self.point(plane).try_normalize().unwrap_or(plane.forward())
    }
}

#[derive(Clone, Copy, Debug)]
struct Moving {
    plane: SteeringPlane,
    velocity: Vec3,
    requested: Vec3,
    max_speed: f32,
    reach: f32,
}

/// An agent with limits: there is a velocity that keeps all hard ones.
#[derive(Clone, Debug)]
struct Case {
    motion: Moving,
    hard: Vec<HalfSpace>,
    soft: Vec<HalfSpace>,
    feasible: Vec3,
    random: Random,
}

fn case(soft: usize, hard: usize) -> impl Strategy<Value = Case> {
    let counts = (0..=soft, 0..=hard);
    let scale = prop_oneof![Just(1.0_f32), Just(100.0)];
    (any::<u64>(), 0_usize..3, scale, counts).prop_map(|(seed, plane, scale, (soft, hard))| {
        let (plane, mut random) = (SteeringPlane::ALL[plane], Random(seed | 1));
        let (max_speed, reach) = (5.0 * scale, (0.05 + 0.6 * random.part()) * scale);
        let velocity = random.point(plane) * max_speed;
        let mut within = |reach: f32| truncate(velocity + random.point(plane) * reach, max_speed);
        let (requested, feasible) = (within(reach), within(0.999 * reach));
        let soft = (0..soft).map(|_| {
            let normal = random.normal(plane);
            let bound = normal.dot(velocity) + (random.part() * 2.6 - 1.3) * reach;
            let weight = if random.part() < 0.5 { 14.0 } else { 14.0 + 986.0 * random.part() };
            HalfSpace { normal, bound, weight }
        });
        let soft = soft.collect();
        let hard = (0..hard).map(|_| {
            let normal = random.normal(plane);
            let bound = normal.dot(feasible) - random.part() * random.part() * reach;
            HalfSpace { normal, bound, weight: 0.0 }
        });
        let hard = hard.collect();
        let motion = Moving { plane, velocity, requested, max_speed, reach };
        Case { motion, hard, soft, feasible, random }
    })
}

impl Case {
    fn permitted(&self) -> Vec3 {
        let Moving { plane, velocity, requested, max_speed, reach } = self.motion;
        let (velocity, requested) = (velocity.to_array(), requested.to_array());
        let motion = Motion { velocity, requested, max_speed, reach };
        let soft: Vec<_> = self.soft.iter().map(HalfSpace::row).collect();
        let softly = softly_permitted(One, &motion, &soft).into();
        permitted_velocity(plane, &motion, softly, &self.hard, &soft)
    }

    /// By how much a velocity is not permitted.
    fn excess(&self, velocity: Vec3) -> f32 {
        let Moving { velocity: present, max_speed, reach, .. } = self.motion;
        let outside = (velocity.length() - max_speed).max(velocity.distance(present) - reach);
        self.hard.iter().map(|limit| -limit.slack(velocity)).fold(outside, f32::max)
    }

    fn cost(&self, velocity: Vec3) -> f64 {
        let velocity = velocity.as_dvec3();
        let missing = |limit: &HalfSpace| {
            let missing = f64::from(limit.bound) - limit.normal.as_dvec3().dot(velocity);
            f64::from(limit.weight) * missing.max(0.0).powi(2)
        };
        let wish = velocity.distance_squared(self.motion.requested.as_dvec3());
        wish + self.soft.iter().map(missing).sum::<f64>()
    }

    /// The least cost that a random search finds.
    fn least_cost(&self) -> f64 {
        let mut random = self.random.clone();
        let reach = self.motion.reach;
        let (mut best, mut size) = (self.feasible, reach);
        let mut cost = self.cost(best);
        for round in 0..3000 {
            let other = best + random.point(self.motion.plane) * size;
            let other_cost = self.cost(other);
            if other_cost < cost && self.excess(other) <= 0.0 {
                (best, cost) = (other, other_cost);
            } else if round % 12 == 11 {
                size = if size < 1e-5 * reach { 0.1 * reach } else { size * 0.9 };
            }
        }
        cost
    }

    /// No result is more exact than this, in units a second.
    fn tolerance(&self) -> f32 {
        1e-4 * self.motion.max_speed
    }
}

fn cases(count: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(20);
    ProptestConfig { cases: count, failure_persistence: None, rng_seed, ..default() }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn hard_limits_top_speed_and_reach_are_kept(case in case(16, 8)) {
        let permitted = case.permitted();
        prop_assert!(case.excess(permitted) <= case.tolerance(), "{permitted}");
        let height = permitted - case.motion.plane.flatten(permitted);
        prop_assert!(height.length() <= 0.1 * case.tolerance(), "{permitted}");
    }

    #[test]
    fn permitted_velocity_is_the_best_one(case in case(16, 8)) {
        let (found, least) = (case.cost(case.permitted()), case.least_cost());
        let reach = f64::from(case.motion.reach);
        prop_assert!(found <= least * 1.01 + 1e-4 * reach * reach, "{found} is not {least}");
    }

    /// Of a sum of squares: a change of slope moves its minimum by no more than itself, whatever
    /// the hard limits are.
    #[test]
    fn permitted_velocity_is_continuous(case in case(16, 4)) {
        let (mut other, mut random) = (case.clone(), case.random.clone());
        let Moving { plane, velocity, reach, .. } = case.motion;
        let small = 1e-3 * reach;
        other.motion.requested += random.point(plane) * small;
        let mut most = small;
        for (limit, one) in other.soft.iter_mut().zip(&case.soft) {
            limit.normal = (one.normal + random.point(plane) * 1e-3).normalize();
            // Turned about the present velocity.
            limit.bound = one.bound + (limit.normal - one.normal).dot(velocity);
            limit.bound += (random.part() - 0.5) * small;
            let missing = 3.0 * reach;
            most += one.weight * (2e-3 * missing + 3.0 * small);
        }
        let moved = case.permitted().distance(other.permitted());
        prop_assert!(moved <= most + 100.0 * case.tolerance(), "{moved} is more than {most}");
        prop_assert!(moved <= most.min(0.5 * reach) + 100.0 * case.tolerance(), "{moved}");
    }

    #[test]
    fn limits_that_are_kept_have_no_influence(case in case(16, 8)) {
        let permitted = case.permitted();
        let mut other = case.clone();
        let is_felt = |limit: &HalfSpace| limit.slack(permitted) < 2.0 * case.tolerance();
        other.soft.retain(is_felt);
        other.hard.retain(is_felt);
        let (with, without) = (case.cost(permitted), case.cost(other.permitted()));
        let reach = f64::from(case.motion.reach);
        prop_assert!((with - without).abs() <= 0.01 * with + 1e-4 * reach * reach);
        // With all kept, that is the wish.
        other.soft.clear();
        other.hard.clear();
        let moved = other.permitted().distance(case.motion.requested);
        prop_assert!(moved <= case.tolerance(), "by {moved}");
    }

    #[test]
    fn conflicting_hard_limits_give_a_compromise(case in case(16, 6)) {
        let mut case = case;
        let normal = case.random.normal(case.motion.plane);
        let there = normal.dot(case.motion.velocity);
        for (normal, there) in [(normal, there), (-normal, -there)] {
            case.hard.push(HalfSpace { normal, bound: there + 0.3 * case.motion.reach, weight: 0.0 });
        }
        let permitted = case.permitted();
        case.hard.clear();
        prop_assert!(permitted.is_finite() && case.excess(permitted) <= case.tolerance());
        let between = (normal.dot(permitted) - there).abs();
        prop_assert!(between <= 1.001 * case.motion.reach, "{between}");
    }

    #[test]
    fn order_of_adding_does_not_matter(case in case(36, 12), turn in 0_usize..24) {
        let add = |limits: &[HalfSpace]| {
            let (mut hard, mut soft) = (Vec::new(), SoftLimits::default());
            for &limit in limits {
                keep(&mut hard, 16, limit, case.motion.requested);
                soft.add(limit, case.motion.requested);
            }
            (hard, soft.iter().collect::<Vec<_>>())
        };
        // One of them twice, and one that differs in its weight only.
        let mut limits = [&*case.soft, &case.hard].concat();
        limits.extend(case.soft.first().into_iter().flat_map(|&one| {
            [one, HalfSpace { weight: 2.0, ..one }]
        }));
        let kept = add(&limits);
        let count = limits.len().max(1);
        limits.rotate_left(turn % count);
        prop_assert_eq!(&kept, &add(&limits));
        limits.reverse();
        prop_assert_eq!(&kept, &add(&limits));
        let slack = |one: &HalfSpace| one.slack(case.motion.requested);
        let mut slacks: Vec<f32> = limits.iter().map(slack).collect();
        slacks.sort_by(f32::total_cmp);
        slacks.truncate(SOFT_ROOM);
        prop_assert_eq!(kept.1.iter().map(slack).collect::<Vec<_>>(), &*slacks);
        slacks.truncate(16);
        prop_assert_eq!(kept.0.iter().map(slack).collect::<Vec<_>>(), slacks);
    }

    /// Blocks of eight, of which half count, and the limits of another behaviour after them.
    #[test]
    fn of_many_soft_limits_those_that_are_kept_least_stay(case in case(80, 12)) {
        let (requested, mut limits) = (case.motion.requested, SoftLimits::default());
        let mut all = Vec::new();
        for block in case.soft.as_chunks::<WIDTH>().0 {
            dispatch(AddHalf(&mut limits, block, requested));
            all.extend(block.iter().step_by(2).copied());
        }
        limits.begin();
        for &limit in &case.hard {
            limits.add(limit, requested);
        }
        let kept: Vec<HalfSpace> = limits.iter().collect();
        let last = kept.iter().map(|one| one.slack(requested)).fold(f32::MIN, f32::max);
        let is_kept = |one: &HalfSpace| kept.len() < SOFT_ROOM || one.slack(requested) <= last;
        all.retain(is_kept);
        let (first, others) = kept.split_at(all.len());
        prop_assert_eq!(first, all);
        prop_assert_eq!(others.len(), case.hard.iter().filter(|one| is_kept(one)).count());
        prop_assert!(others.is_sorted_by_key(|one| one.slack(requested)));
    }

    #[test]
    fn eight_at_a_time_give_the_same_bits(case in case(24, 0)) {
        let eight = dispatch(Eight(&case));
        for (i, found) in eight.into_iter().enumerate() {
            let Moving { max_speed, reach, .. } = case.motion;
            let [velocity, requested] = starts(&case, i).map(|v| v.to_array());
            let motion = Motion { velocity, requested, max_speed, reach };
            let one = softly_permitted(One, &motion, &some_limits(&case, i).rows());
            prop_assert_eq!(found.to_array().map(f32::to_bits), one.map(f32::to_bits));
        }
    }
}

/// Adds every other limit of a block.
struct AddHalf<'a>(&'a mut SoftLimits, &'a [HalfSpace; WIDTH], Vec3);

impl Kernel for AddHalf<'_> {
    type Output = ();

    fn run<L: Lanes>(self, l: L) {
        let Self(limits, some, requested) = self;
        let normal = vector!(l, i => some[i].normal);
        let row = (normal, pack!(l, i => some[i].bound), pack!(l, i => some[i].weight));
        limits.add_block(l, row, 0b0101_0101, requested);
    }
}

/// The velocity of each of eight agents, and what it requests.
fn starts(case: &Case, i: usize) -> [Vec3; 2] {
    let Moving { velocity, requested, .. } = case.motion;
    let share = i as f32 / 7.0;
    [velocity.lerp(case.feasible, share), requested.lerp(case.feasible, share)]
}

/// The limits of each of them.
fn some_limits(case: &Case, i: usize) -> SoftLimits {
    let mut limits = SoftLimits::default();
    for &limit in &case.soft[..case.soft.len() * i / 7] {
        limits.add(limit, case.motion.requested);
    }
    limits
}

/// The permitted velocities of eight agents.
struct Eight<'a>(&'a Case);

impl Kernel for Eight<'_> {
    type Output = [Vec3; WIDTH];

    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let case = self.0;
        let limits = every!(i => some_limits(case, i));
        let mut rows = [([l.splat(0.0); 3], l.splat(0.0), l.splat(0.0)); SOFT_ROOM];
        let most = SoftLimits::side_by_side(l, limits.each_ref(), &mut rows);
        let motion = Motion {
            velocity: vector!(l, i => starts(case, i)[0]),
            requested: vector!(l, i => starts(case, i)[1]),
            max_speed: l.splat(case.motion.max_speed),
            reach: l.splat(case.motion.reach),
        };
        let found = unpacked(l, softly_permitted(l, &motion, &rows[..most]));
        core::array::from_fn(|i| at(&found, i))
    }
}

#[test]
fn wish_that_keeps_all_limits_is_permitted_as_it_is() {
    let mut limits = VelocityLimits::default();
    limits.open(SteeringPlane::Xy, Vec3::X, Vec3::new(1.1, 0.1, 0.0), Haste::of(0.1, 0.02));
    limits.add(VelocityLimit::hard(Vec3::NEG_X, -1.1));
    limits.add(VelocityLimit::soft(Vec3::Y, 0.05));
    assert!(limits.are_kept());
    assert_eq!(limits.permitted(), limits.requested());
    limits.add(VelocityLimit::hard(Vec3::NEG_X, -1.09));
    assert!(!limits.are_kept());
}
