//! [`VelocityLimits`]: the half-spaces of velocity that an agent has to keep to.

use bevy::prelude::*;

use crate::space::{plane::SteeringPlane, vector::direction};

/// A bound on an agent's velocity: `normal · velocity ≥ bound`.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_steer::VelocityLimit;
///
/// // Not to the right faster than 2 units a second, whatever other behaviours wish.
/// let limit = VelocityLimit::hard(Vec3::NEG_X, -2.0);
/// # assert!(limit.is_hard);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct VelocityLimit {
    /// The unit vector along which the velocity is bounded, in the agent's plane.
    pub normal: Vec3,
    /// The least speed along it, in units a second; below zero if the agent may go so fast against
    /// it.
    pub bound: f32,
    /// Whether it is kept in any case, as that of a wall is. Where not all others can be kept,
    /// each is violated as little as possible.
    pub is_hard: bool,
    /// Which part of the change from its present velocity to the bound is the agent's, 0 to 1;
    /// whatever it meets does the rest. Default 1.
    pub share: f32,
    /// What it keeps the agent from, for tools.
    pub source: Option<Entity>,
}

impl VelocityLimit {
    /// A limit that is kept in any case.
    pub const fn hard(normal: Vec3, bound: f32) -> Self {
        Self { normal, bound, is_hard: true, share: 1.0, source: None }
    }

    /// A limit that may be violated where not all can be kept.
    pub const fn soft(normal: Vec3, bound: f32) -> Self {
        Self { is_hard: false, ..Self::hard(normal, bound) }
    }

    /// With this part of the change done by the agent.
    #[must_use]
    pub const fn with_share(mut self, share: f32) -> Self {
        self.share = share;
        self
    }

    /// With what it keeps the agent from.
    #[must_use]
    pub const fn with_source(mut self, source: Entity) -> Self {
        self.source = Some(source);
        self
    }
}

/// Which parts of a change of velocity are made in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Haste {
    missing: f32,
    spare: f32,
}

/// What a velocity misses of a soft limit is made up in this share of the response time;
const MISSING: f32 = 1.0 / 3.0;
/// what it has to spare may be used up in this share.
const SPARE: f32 = 1.0 / 1.6;

impl Haste {
    pub(crate) fn of(response: f32, dt: f32) -> Self {
        let part = |share: f32| (dt / (response * share)).min(1.0);
        Self { missing: part(MISSING), spare: part(SPARE) }
    }

    #[inline(always)]
    pub(crate) fn part(self, is_missing: bool) -> f32 {
        if is_missing { self.missing } else { self.spare }
    }

    /// What there has to be to spare so that no change of this length uses it up in a tick.
    #[inline(always)]
    pub(crate) fn spare(self, change: f32) -> f32 {
        change / self.spare
    }
}

/// `normal · velocity ≥ bound` for the velocity of the next tick, and how heavily its violation
/// weighs beside the wish if it is soft.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HalfSpace {
    pub(crate) normal: Vec3,
    pub(crate) bound: f32,
    pub(crate) weight: f32,
}

impl HalfSpace {
    /// The weight of a soft limit, unless it says otherwise.
    pub(crate) const WEIGHT: f32 = 14.0;

    /// By how much a velocity keeps it; below zero if it does not.
    #[inline(always)]
    pub(crate) fn slack(&self, velocity: Vec3) -> f32 {
        self.normal.dot(velocity) - self.bound
    }
}

/// The half-spaces of one kind that a velocity keeps least, these first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HalfSpaces<const N: usize>
where
    [HalfSpace; N]: Default,
{
    kept: [HalfSpace; N],
    count: u32,
}

impl<const N: usize> HalfSpaces<N>
where
    [HalfSpace; N]: Default,
{
    pub(crate) fn get(&self) -> &[HalfSpace] {
        &self.kept[..self.count as usize]
    }

    /// Adds one; if there are too many, the one that `velocity` keeps best is left out. In an order
    /// that does not depend on the order of adding, as equal ones are the same.
    pub(crate) fn add(&mut self, one: HalfSpace, velocity: Vec3) {
        let slack = one.slack(velocity);
        let numbers = |one: &HalfSpace| {
            let [x, y, z] = one.normal.to_array();
            [x, y, z, one.bound, one.weight]
        };
        let is_after = |other: &HalfSpace| {
            let by_number = || {
                let pairs = numbers(&one).into_iter().zip(numbers(other));
                let mut orders = pairs.map(|(own, other)| own.total_cmp(&other));
                orders.find(|order| order.is_ne()).unwrap_or(core::cmp::Ordering::Equal)
            };
            slack.total_cmp(&other.slack(velocity)).then_with(by_number).is_ge()
        };
        let count = self.count as usize;
        let place = self.kept[..count].partition_point(is_after);
        if place < N {
            let count = (count + 1).min(N);
            self.count = count as u32;
            self.kept[place..count].rotate_right(1);
            self.kept[place] = one;
        }
    }

    /// Whether a velocity keeps all of them.
    #[inline(always)]
    pub(crate) fn are_kept(&self, velocity: Vec3) -> bool {
        self.get().iter().all(|one| one.slack(velocity) >= 0.0)
    }
}

/// A limit, and the behaviour that gave it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotedLimit {
    pub(crate) limit: VelocityLimit,
    pub(crate) behavior: usize,
    pub(crate) place: Option<usize>,
}

/// The limits of an agent in a tick, and its velocities: the present, the wished and the permitted
/// one.
///
/// Behaviours that give limits, as [`AvoidAgents`](crate::AvoidAgents),
/// [`AvoidObstacles`](crate::AvoidObstacles) and [`AvoidWalls`](crate::AvoidWalls) do, require it.
/// Behaviours of your own add to it in [`SteeringBehavior::limits`](crate::SteeringBehavior), which
/// is called after arbitration, and only if the behaviour's constant `LIMITS` is true.
///
/// | limit | where not all can be kept | change to its bound |
/// | --- | --- | --- |
/// | [`hard`](VelocityLimit::hard) | before all soft ones | in the next tick, times `share` |
/// | [`soft`](VelocityLimit::soft) | the least violation beside the wish | in a third of the vehicle's `response`, times `share` |
///
/// A limit that the wished velocity keeps changes nothing.
///
/// Read it after [`SteeringSystems::Limit`](crate::SteeringSystems) where something else than this
/// crate moves the agent and wants a velocity rather than a force: [`permitted`](Self::permitted).
/// It may be put on any agent for that; without limits what is wished is permitted.
///
/// It has room for 8 hard limits and 16 soft ones: the ones that the wished velocity keeps least.
#[derive(Component, Clone, Debug, Default)]
pub struct VelocityLimits {
    hard: HalfSpaces<8>,
    soft: HalfSpaces<16>,
    velocity: Vec3,
    wished: Vec3,
    permitted: Vec3,
    haste: Haste,
    plane: SteeringPlane,
    /// Whether a behaviour has added one that is not valid.
    pub(crate) is_invalid: bool,
    /// Whether nothing drives the agent, and it brakes.
    stands: bool,
    /// Whether the agent thinks in this tick.
    pub(crate) is_open: bool,
    desired: Vec3,
    drive: f32,
    pub(crate) goes_straight: bool,
    /// Which behaviour is adding.
    pub(crate) behavior: usize,
    pub(crate) place: Option<usize>,
    /// All limits, for the trace of an agent that has one.
    pub(crate) noted: Option<Vec<NotedLimit>>,
}

impl VelocityLimits {
    /// The velocity at the beginning of the tick, in the agent's plane, in units a second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The velocity that the behaviours wish, as far as `max_force` reaches within the vehicle's
    /// `response`, in units a second.
    pub fn wished(&self) -> Vec3 {
        self.wished
    }

    /// The velocity nearest to it that keeps the limits and `max_speed`, in units a second.
    pub fn permitted(&self) -> Vec3 {
        self.permitted
    }

    /// The velocity that the behaviours want in the end, in units a second. Zero if none says where
    /// the agent goes.
    pub fn desired(&self) -> Vec3 {
        self.desired
    }

    /// How fast the behaviours want the agent to be, whatever its force allows in this tick, as a
    /// share of top speed, 0 to 1. Zero if no behaviour says where it goes: then it can make way.
    pub fn drive(&self) -> f32 {
        self.drive
    }

    /// Adds a limit. The part of its normal outside the agent's plane does not count. One that is
    /// not finite, or has no direction in the plane, is left out with a warning.
    pub fn add(&mut self, limit: VelocityLimit) {
        let VelocityLimit { bound, is_hard, share, source, .. } = limit;
        let normal = direction(self.plane.flatten(limit.normal));
        let present = normal.dot(self.velocity);
        let part = if is_hard { 1.0 } else { self.haste.part(bound > present) };
        let bound = present + (bound - present) * share * part;
        if normal == Vec3::ZERO || !bound.is_finite() {
            self.is_invalid = true;
            return;
        }
        let limit = HalfSpace { normal, bound, weight: HalfSpace::WEIGHT };
        self.add_half_space(limit, is_hard, source);
    }

    /// [`add`](Self::add) for one that is valid.
    #[inline(always)]
    pub(crate) fn add_half_space(&mut self, one: HalfSpace, is_hard: bool, source: Option<Entity>) {
        if let Some(noted) = &mut self.noted {
            let limit =
                VelocityLimit { normal: one.normal, bound: one.bound, is_hard, share: 1.0, source };
            noted.push(NotedLimit { limit, behavior: self.behavior, place: self.place });
        }
        if is_hard {
            self.hard.add(one, self.wished);
        } else {
            self.soft.add(one, self.wished);
        }
    }

    pub(crate) fn hard(&self) -> &[HalfSpace] {
        self.hard.get()
    }

    pub(crate) fn soft(&self) -> &[HalfSpace] {
        self.soft.get()
    }

    /// Whether the wished velocity keeps all limits so far.
    #[inline(always)]
    pub(crate) fn are_kept(&self) -> bool {
        self.hard.are_kept(self.wished) && self.soft.are_kept(self.wished)
    }

    /// Begins a tick.
    #[inline(always)]
    pub(crate) fn open(
        &mut self,
        plane: SteeringPlane,
        velocity: Vec3,
        wished: Vec3,
        haste: Haste,
    ) {
        (self.plane, self.haste) = (plane, haste);
        (self.velocity, self.wished, self.permitted) = (velocity, wished, wished);
        (self.hard.count, self.soft.count, self.is_open) = (0, 0, true);
        self.noted = None;
    }

    /// What the behaviours that drive the agent want, and which share of top speed that is.
    #[inline(always)]
    pub(crate) fn desire(&mut self, velocity: Vec3, drive: f32) {
        (self.desired, self.drive, self.stands) = (velocity, drive, false);
    }

    /// Nothing drives the agent; whether it brakes.
    #[inline(always)]
    pub(crate) fn idle(&mut self, stands: bool) {
        (self.desired, self.drive, self.stands) = (Vec3::ZERO, 0.0, stands);
    }

    pub(crate) fn stands(&self) -> bool {
        self.stands
    }

    pub(crate) fn permit(&mut self, velocity: Vec3) {
        self.permitted = velocity;
    }
}
