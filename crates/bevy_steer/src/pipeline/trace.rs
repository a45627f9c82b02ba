//! [`SteeringTrace`]: what each behaviour of an agent contributed to its force.

use bevy::prelude::*;

use crate::{
    agent::{blend::Priority, velocity_limits::VelocityLimits},
    pipeline::{
        arbitration::Shares,
        traced_limit::{TracedLimit, traced_limits},
    },
};

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
