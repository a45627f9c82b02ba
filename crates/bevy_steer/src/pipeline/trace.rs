//! [`SteeringTrace`]: what each behaviour of an agent contributed to its force; [`TracedLimit`]:
//! what each limit took of a request.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{HalfSpace, NotedLimit, Priority, VelocityLimits},
    pipeline::arbitration::Shares,
};

/// Keeps what each behaviour of an agent contributed and what each limit took of that, for tools
/// and tests.
///
/// Put it on the agents that you want to look into, and read it after
/// [`SteeringSystems::Limit`](crate::SteeringSystems). An agent that does not think in a tick
/// (see [`ThinkEvery`](crate::ThinkEvery)) keeps its last trace, as it keeps its last force; an
/// invalid one has an empty trace. Agents without this component cost nothing, and it changes no
/// result.
///
/// It has room for [`CAPACITY`](Self::CAPACITY) behaviours; more are counted, and not kept. And for
/// all limits that count, see [`VelocityLimits`](crate::VelocityLimits).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{BehaviorRegistry, SteeringTrace, prelude::*};
/// fn tell(agents: Query<(&Name, &SteeringTrace)>, registry: Res<BehaviorRegistry>) {
///     for (name, trace) in &agents {
///         for contribution in trace.iter() {
///             let behavior = registry.get(contribution.behavior).map_or("?", |known| known.name);
///             println!("{name}: {behavior} requested {}", contribution.asked.length());
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(tell);
/// ```
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringTrace {
    contributions: Vec<Contribution>,
    left_out: usize,
    /// The part of the force that no behaviour requested, see [`idle`](Self::idle).
    idle: Vec3,
    /// Those that took most first.
    #[entities]
    limits: Vec<TracedLimit>,
    limited: Vec3,
    is_settled: bool,
}

impl SteeringTrace {
    /// The maximum number of recorded behaviours.
    pub const CAPACITY: usize = 24;

    /// The contributions of the behaviours, in the order in which they run.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Contribution> {
        self.contributions.iter()
    }

    /// The part of [`SteeringForce::linear`](crate::SteeringForce) of an agent that no behaviour
    /// moves: it brakes, drifts or cruises, see [`WhenIdle`](crate::WhenIdle).
    pub fn idle(&self) -> Vec3 {
        self.idle
    }

    /// The limits on the agent's velocity, those first that took most of the request. Ones that
    /// took nothing come last.
    pub fn limits(&self) -> impl ExactSizeIterator<Item = &TracedLimit> {
        self.limits.iter()
    }

    /// The part of [`SteeringForce::linear`](crate::SteeringForce) made by velocity limits. Usually
    /// it opposes the requests.
    pub fn limited(&self) -> Vec3 {
        self.limited
    }

    /// The number of behaviours that contributed but are not recorded.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds the contribution of a behaviour. The first in a tick begins a new trace.
    pub(crate) fn note(&mut self, contribution: Contribution) {
        if self.is_settled {
            self.clear();
        }
        if self.contributions.len() < Self::CAPACITY {
            self.contributions.push(contribution);
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.contributions.clear();
        self.limits.clear();
        (self.left_out, self.is_settled) = (0, false);
        (self.idle, self.limited) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// Completes the trace of a tick, once arbitration has decided.
    ///
    /// `turns` are the shares of the tiers in turning. The sum over the tiers may have been
    /// truncated to become `force`.
    pub(crate) fn settle(
        &mut self,
        mass_per_response: f32,
        shares: Shares,
        turns: Shares,
        force: Vec3,
    ) {
        if self.is_settled {
            // No behaviour has contributed in this tick.
            self.clear();
        }
        self.idle = Vec3::ZERO;
        let mut sum = Vec3::ZERO;
        for one in &mut self.contributions {
            let tier = one.priority.tier();
            one.asked = one.correction * one.weight * mass_per_response;
            one.passed = one.asked * shares[tier];
            one.angular_passed = one.angular.unwrap_or_default() * one.weight * turns[tier];
            sum += one.passed;
        }
        if sum != force && sum.length() > force.length() {
            let share = force.length() / sum.length();
            self.contributions.iter_mut().for_each(|one| one.passed *= share);
        }
        self.is_settled = true;
    }

    /// Adds the limits to a settled trace, and the force that results from them.
    pub(crate) fn add_limits(&mut self, limits: &mut VelocityLimits, max_speed: f32, made: Vec3) {
        self.limited = made;
        self.limits.clear();
        self.limits.extend(traced_limits(limits, max_speed));
    }

    /// Adds the force of an idle agent to a settled trace. The sum of both may have been truncated
    /// to become `force`.
    pub(crate) fn add_idle(&mut self, idle: Vec3, force: Vec3) {
        let kept = &mut self.contributions;
        let sum = kept.iter().map(|one| one.passed).sum::<Vec3>() + idle;
        let share = if sum.length() > force.length() { force.length() / sum.length() } else { 1.0 };
        kept.iter_mut().for_each(|one| one.passed *= share);
        self.idle = idle * share;
    }
}

/// The request of one behaviour in a tick, and how much of it got through arbitration.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Contribution {
    /// The behaviour's index in the [`BehaviorRegistry`](crate::BehaviorRegistry).
    pub behavior: usize,
    /// Its index among [`Several`](crate::Several), if it is one of these.
    pub place: Option<usize>,
    /// The requested change of velocity, before its weight, in units a second.
    pub correction: Vec3,
    /// The requested change of angular velocity, in radians a second; `None` if there was none.
    pub angular: Option<Vec3>,
    /// Its weight.
    pub weight: f32,
    /// Its tier.
    pub priority: Priority,
    /// The force that would make its weighted change, in kilogram units per second squared.
    pub asked: Vec3,
    /// Its part in [`SteeringForce::linear`](crate::SteeringForce), in the same unit. The parts of
    /// all, [`SteeringTrace::idle`] and [`SteeringTrace::limited`] add up to the force.
    pub passed: Vec3,
    /// The part of its turn that got through, weighted, in radians a second.
    pub angular_passed: Vec3,
}

/// A limit on an agent's velocity in a tick, and what it took of the request.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct TracedLimit {
    /// The index in the [`BehaviorRegistry`](crate::BehaviorRegistry) of the behaviour that gave
    /// it.
    pub behavior: usize,
    /// Which one of [`Several`](crate::Several) that was, if it was one of these.
    pub place: Option<usize>,
    /// What it keeps the agent from, if the behaviour says so.
    #[entities]
    pub source: Option<Entity>,
    /// The unit vector along which the velocity is bounded.
    pub normal: Vec3,
    /// The least speed along it at the end of the tick, in units a second; below zero if the agent
    /// may go so fast against it. Of a soft limit, as far as it is to be kept in one tick.
    pub bound: f32,
    /// Whether it is [hard](crate::VelocityLimit::hard).
    pub is_hard: bool,
    /// By how much it changed the requested velocity, along its normal, in units a second: zero if
    /// the request keeps it. These add up to the way from
    /// [`VelocityLimits::requested`](crate::VelocityLimits::requested) to
    /// [`permitted`](crate::VelocityLimits::permitted), but for what comes of top speed and
    /// `max_force` where the agent cannot do all that the limits ask for: then each has its share
    /// of what is done.
    pub taken: Vec3,
}

/// Limits at least as heavy as this are hardly violated: the violation says little about what they
/// took.
const FIRM: f32 = 100.0;
/// The agent goes along the edge of a limit that it keeps by less than this share of top speed.
const EDGE: f32 = 1e-4;
/// Less than this share of top speed is rounding.
const ROUNDING: f32 = 1e-5;
/// How often what firm limits took is shared among them again, at most: where two are nearly
/// opposed it takes many times.
const ROUNDS: usize = 1000;

/// All limits that count, hard ones first, and what they took. Without their behaviours and
/// sources, which the agent does not keep.
pub(crate) fn limit_parts(limits: &VelocityLimits, max_speed: f32) -> Vec<TracedLimit> {
    let (requested, permitted) = (limits.requested(), limits.permitted());
    let change = permitted - requested;
    let hard = limits.hard().iter().map(|&one| (one, true));
    let soft = limits.soft().iter().map(|one| (one, false));
    let all: Vec<(HalfSpace, bool)> = hard.chain(soft).collect();
    let is_firm = |i: usize| all[i].1 || all[i].0.weight >= FIRM;
    let (firm, soft): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|&i| is_firm(i));
    let mut taken = vec![0.0; all.len()];
    let mut rest = change;
    // At the permitted velocity, what the violated limits pull is as much as the request pulls
    // back.
    for i in soft {
        let one = all[i].0;
        taken[i] = one.weight * (-one.slack(permitted)).max(0.0);
        rest -= one.normal * taken[i];
    }
    // The others share the rest: each pushes only along its normal. By least squares.
    let tight = firm.into_iter().filter(|&i| all[i].0.slack(permitted) <= EDGE * max_speed);
    let tight: Vec<usize> = tight.collect();
    for _ in 0..ROUNDS {
        let before = rest;
        for &i in &tight {
            let normal = all[i].0.normal;
            let now = (taken[i] + normal.dot(rest)).max(0.0);
            rest -= normal * (now - taken[i]);
            taken[i] = now;
        }
        if rest.distance(before) <= 0.1 * ROUNDING * max_speed {
            break;
        }
    }
    let sum: Vec3 = taken.iter().zip(&all).map(|(&taken, (one, _))| one.normal * taken).sum();
    // Less than all of it is done where force or top speed do not allow that.
    let done = sum.dot(change) / sum.length_squared().max(f32::MIN_POSITIVE);
    let done = if done >= 0.0 { done.min(1.0) } else { 0.0 };
    let part = |(taken, (one, is_hard)): (f32, &(HalfSpace, bool))| {
        let taken = taken * done;
        let taken = if taken > ROUNDING * max_speed { one.normal * taken } else { Vec3::ZERO };
        let (behavior, is_hard) = (usize::MAX, *is_hard);
        TracedLimit { behavior, normal: one.normal, bound: one.bound, is_hard, taken, ..default() }
    };
    taken.into_iter().zip(&all).map(part).collect()
}

/// [`limit_parts`] with their behaviours and sources, those that took most first. Takes what the
/// agent has noted for it.
fn traced_limits(limits: &mut VelocityLimits, max_speed: f32) -> Vec<TracedLimit> {
    let mut noted = limits.take_notes();
    let mut parts = limit_parts(limits, max_speed);
    for part in &mut parts {
        let is_same = |NotedLimit { limit, .. }: &NotedLimit| {
            (limit.normal, limit.bound, limit.is_hard()) == (part.normal, part.bound, part.is_hard)
        };
        if let Some(place) = noted.iter().position(is_same) {
            let NotedLimit { limit, behavior, place } = noted.swap_remove(place);
            (part.behavior, part.place, part.source) = (behavior, place, limit.source);
        }
    }
    parts.sort_by(|a, b| b.taken.length_squared().total_cmp(&a.taken.length_squared()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::Haste,
        pipeline::limit::solver::{Motion, permitted_velocity, softly_permitted},
        simd::One,
        space::SteeringPlane,
    };

    const MAX_SPEED: f32 = 5.0;

    /// What limits (normal, bound, whether hard) take from this request, and what remains of it.
    fn taken(requested: Vec3, reach: f32, all: &[(Vec3, f32, bool)]) -> (Vec<Vec3>, Vec3) {
        let mut limits = VelocityLimits::default();
        let (plane, velocity) = (SteeringPlane::Xy, Vec3::ZERO);
        limits.open(plane, velocity, requested, Haste::default());
        for &(normal, bound, is_hard) in all {
            let normal = normal.normalize();
            let one = HalfSpace { normal, bound, weight: HalfSpace::WEIGHT };
            limits.add_half_space(one, is_hard, None);
        }
        let (velocity, requested) = (velocity.to_array(), requested.to_array());
        let motion = Motion { velocity, requested, max_speed: MAX_SPEED, reach };
        let soft = limits.soft().rows();
        let softly = softly_permitted(One, &motion, &soft).into();
        limits.permit(permitted_velocity(plane, &motion, softly, limits.hard(), &soft));
        let parts = limit_parts(&limits, MAX_SPEED);
        assert!(parts.iter().all(|part| part.taken.dot(part.normal) >= 0.0));
        let of = |&(normal, bound, is_hard): &(Vec3, f32, bool)| {
            let is_it = |part: &&TracedLimit| {
                part.normal == normal.normalize() && part.bound == bound && part.is_hard == is_hard
            };
            parts.iter().find(is_it).expect("it is kept").taken
        };
        (all.iter().map(of).collect(), limits.permitted())
    }

    #[test]
    fn each_limit_took_its_part_of_the_change() {
        let request = Vec3::new(3.0, 2.0, 0.0);
        let wall = (Vec3::NEG_X, -1.0, true);
        let other = (Vec3::NEG_Y, -1.5, true);
        let far = (Vec3::X, -4.0, true);
        let (parts, _) = taken(request, 50.0, &[wall, other, far]);
        for (part, expected) in parts.iter().zip([Vec3::NEG_X * 2.0, Vec3::NEG_Y * 0.5, Vec3::ZERO])
        {
            assert!(part.distance(expected) < 1e-3, "{parts:?}");
        }
    }

    #[test]
    fn parts_add_up_to_the_change_for_all_kinds_of_limits() {
        let mut seed = 7_u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut changed = 0;
        for _ in 0..200 {
            let mut limit =
                |is_hard: bool| (Vec3::new(next(), next() + 0.01, 0.0), next() - 1.0, is_hard);
            let all = [limit(true), limit(true), limit(false), limit(false), limit(false)];
            let request = Vec3::new(2.0 * next(), 2.0 * next(), 0.0);
            let (parts, permitted) = taken(request, 50.0, &all);
            let off = parts.iter().sum::<Vec3>().distance(permitted - request);
            assert!(off < 2e-3, "{off} of {request} → {permitted}: {parts:?} by {all:?}");
            changed += usize::from(permitted.distance(request) > 0.01);
        }
        assert!(changed > 50, "{changed}");
    }

    #[test]
    fn what_cannot_be_done_is_not_taken() {
        // It would have to change by 4 units a second, and can by 1.
        let (parts, permitted) = taken(Vec3::X, 1.0, &[(Vec3::NEG_X, 3.0, false)]);
        assert!(parts[0].distance(permitted - Vec3::X) < 1e-3, "{parts:?} {permitted}");
    }
}
