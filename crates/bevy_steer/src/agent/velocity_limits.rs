//! [`VelocityLimits`]: the constraints on the velocity of an agent.

use bevy::prelude::*;

use crate::{
    agent::half_spaces::{HalfSpace, LimitRow, SoftLimits, keep},
    simd::{Lanes, dot},
    space::{SteeringPlane, direction},
};

/// A constraint on an agent's velocity: `normal · velocity ≥ bound`.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_steer::VelocityLimit;
///
/// // At most 2 units a second to the right, whatever other behaviours request.
/// let limit = VelocityLimit::hard(Vec3::NEG_X, -2.0);
/// # assert!(limit.is_hard());
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
    /// How firmly it holds.
    pub firmness: Firmness,
    /// The agent's share of the responsibility for the change from its present velocity to the
    /// bound, 0 to 1; the other one has the rest. Default 1.
    pub share: f32,
    /// What it keeps the agent from, for tools.
    pub source: Option<Entity>,
}

impl VelocityLimit {
    const fn new(normal: Vec3, bound: f32, firmness: Firmness) -> Self {
        Self { normal, bound, firmness, share: 1.0, source: None }
    }

    /// A limit that no request and no firm or soft limit overrides. It is violated only where hard
    /// limits contradict each other, or `max_force` does not suffice.
    pub const fn hard(normal: Vec3, bound: f32) -> Self {
        Self::new(normal, bound, Firmness::Hard)
    }

    /// A limit that may be violated where not all can be kept, the less the greater its weight.
    pub const fn firm(normal: Vec3, bound: f32, weight: f32) -> Self {
        Self::new(normal, bound, Firmness::Firm { weight })
    }

    /// A limit that may be violated where not all can be kept, and takes its time.
    pub const fn soft(normal: Vec3, bound: f32) -> Self {
        Self::new(normal, bound, Firmness::Soft)
    }

    /// Whether nothing but another hard limit overrides it.
    pub const fn is_hard(&self) -> bool {
        matches!(self.firmness, Firmness::Hard)
    }

    /// Sets the agent's share of the responsibility.
    #[must_use]
    pub const fn with_share(mut self, share: f32) -> Self {
        self.share = share;
        self
    }

    /// Sets the entity that the agent avoids.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Option<Entity>>) -> Self {
        self.source = source.into();
        self
    }
}

/// How firmly a [`VelocityLimit`] holds: where not all can be kept, and how fast the agent changes
/// its velocity for it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Firmness {
    /// No request and no other kind of limit overrides it, from the next tick on, as far as
    /// `max_force` reaches: that of a wall.
    Hard,
    /// It holds from the next tick on, but gives way to hard limits and to others of more weight.
    Firm {
        /// How much the square of its violation counts, compared with the square of the deviation
        /// from the requested velocity; above zero. [`AvoidAgents`](crate::AvoidAgents) keeps
        /// bodies from touching with 200, which gives way by half a per cent.
        weight: f32,
    },
    /// Firm with a weight of 14, but the change of velocity takes a third of the vehicle's
    /// `response`; where the limit is kept, what there is to spare may be used up in five eighths
    /// of it.
    Soft,
}

/// Which parts of a change of velocity are made in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Haste {
    missing: f32,
    spare: f32,
}

/// The violation of a soft limit is made up within this fraction of the response time.
const MISSING: f32 = 1.0 / 3.0;
/// The slack of a soft limit may be used up within this fraction.
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

/// A limit, and the behaviour that gave it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotedLimit {
    pub limit: VelocityLimit,
    pub behavior: usize,
    pub place: Option<usize>,
}

/// All limits of an agent that has a trace, and which behaviour is adding.
#[derive(Clone, Debug, Default)]
struct Noted {
    limits: Vec<NotedLimit>,
    behavior: usize,
    place: Option<usize>,
}

/// The limits of an agent in a tick, and its velocities: the present one, the requested one and the
/// permitted one.
///
/// Behaviours that give limits, as [`AvoidAgents`](crate::AvoidAgents),
/// [`AvoidObstacles`](crate::AvoidObstacles) and [`AvoidWalls`](crate::AvoidWalls) do, require it.
/// Behaviours of your own add to it in [`SteeringBehavior::limits`](crate::SteeringBehavior), which
/// is called after arbitration, and only if the behaviour's constant `LIMITS` is true.
///
/// | limit | where not all can be kept | change to its bound |
/// | --- | --- | --- |
/// | [`hard`](VelocityLimit::hard) | before all others | in the next tick, times `share` |
/// | [`firm`](VelocityLimit::firm) | the least violation by weight, compared with the change of the request | in the next tick, times `share` |
/// | [`soft`](VelocityLimit::soft) | as firm with a weight of 14 | in a third of the vehicle's `response`, times `share` |
///
/// A limit that the requested velocity keeps changes nothing.
///
/// Read it after [`SteeringSystems::Limit`](crate::SteeringSystems) where something else than this
/// crate moves the agent and wants a velocity rather than a force: [`permitted`](Self::permitted).
/// It may be put on any agent for that; without limits what is requested is permitted.
///
/// It has room for 8 hard limits and 24 others: the ones that the requested velocity keeps least.
#[derive(Component, Clone, Debug, Default)]
pub struct VelocityLimits {
    velocity: Vec3,
    requested: Vec3,
    permitted: Vec3,
    desired: Vec3,
    drive: f32,
    haste: Haste,
    plane: SteeringPlane,
    /// Whether a behaviour has added an invalid limit.
    pub(crate) is_invalid: bool,
    /// Whether no behaviour moves the agent, and it brakes.
    stands: bool,
    /// Whether the agent thinks in this tick.
    pub(crate) is_open: bool,
    pub(crate) goes_straight: bool,
    /// The eight that the requested velocity keeps least.
    hard: Vec<HalfSpace>,
    soft: SoftLimits,
    /// Whether the requested velocity violates any of them.
    is_missed: bool,
    noted: Option<Box<Noted>>,
}

impl VelocityLimits {
    /// The velocity at the beginning of the tick, in the agent's plane, in units a second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// The requested velocity, as far as `max_force` reaches within the vehicle's `response`, in
    /// units a second.
    #[doc(alias = "wished")]
    pub fn requested(&self) -> Vec3 {
        self.requested
    }

    /// The closest velocity to it that satisfies the limits and `max_speed`, in units a second.
    pub fn permitted(&self) -> Vec3 {
        self.permitted
    }

    /// The velocity that the behaviours request, however long the change takes, in units a second.
    /// Zero if no behaviour moves the agent.
    pub fn desired(&self) -> Vec3 {
        self.desired
    }

    /// The speed that the behaviours request, whatever the force allows in this tick, as a fraction
    /// of top speed, 0 to 1. Zero if no behaviour moves the agent: then it can make way.
    pub fn drive(&self) -> f32 {
        self.drive
    }

    /// Adds a limit. The part of its normal outside the agent's plane does not count. One that is
    /// not finite, has no direction in the plane or a weight below zero is left out with a warning.
    pub fn add(&mut self, limit: VelocityLimit) {
        let VelocityLimit { bound, firmness, share, source, .. } = limit;
        let normal = self.plane.flatten(limit.normal);
        // A unit vector keeps its bits, and so does a bound that is to hold at once.
        let normal = if normal.is_normalized() { normal } else { direction(normal) };
        let present = normal.dot(self.velocity);
        let (weight, part) = match firmness {
            Firmness::Hard => (0.0, 1.0),
            Firmness::Firm { weight } => (weight, 1.0),
            Firmness::Soft => (HalfSpace::WEIGHT, self.haste.part(bound > present)),
        };
        let bound =
            if share * part == 1.0 { bound } else { present + (bound - present) * share * part };
        if normal == Vec3::ZERO || !bound.is_finite() || !(0.0..f32::INFINITY).contains(&weight) {
            self.is_invalid = true;
            return;
        }
        self.add_half_space(HalfSpace { normal, bound, weight }, limit.is_hard(), source);
    }

    /// Adds a limit after those that the behaviour has added before it. [`add`](Self::add) sorts
    /// them, so that the order of its calls does not matter; the order of these calls decides how
    /// sums are rounded. It must not depend on where entities are stored: that of
    /// [`Encounters::of`](crate::Encounters::of) does not.
    pub fn push(&mut self, limit: VelocityLimit) {
        // From here on the next ones are sorted.
        self.soft.begin();
        self.add(limit);
    }

    /// [`add`](Self::add) for one that is valid.
    #[inline(always)]
    pub(crate) fn add_half_space(&mut self, one: HalfSpace, is_hard: bool, source: Option<Entity>) {
        self.note(one, is_hard, source);
        let requested = self.requested;
        self.is_missed |= one.slack(requested) < 0.0;
        if is_hard {
            keep(&mut self.hard, 8, one, requested);
        } else {
            self.soft.add(one, requested);
        }
    }

    /// Whether the agent has a trace, for which all limits are [noted](Self::note).
    pub(crate) fn are_noted(&self) -> bool {
        self.noted.is_some()
    }

    pub(crate) fn note(&mut self, one: HalfSpace, is_hard: bool, source: Option<Entity>) {
        if let Some(noted) = &mut self.noted {
            let firmness =
                if is_hard { Firmness::Hard } else { Firmness::Firm { weight: one.weight } };
            let limit =
                VelocityLimit { source, ..VelocityLimit::new(one.normal, one.bound, firmness) };
            let Noted { behavior, place, .. } = **noted;
            noted.limits.push(NotedLimit { limit, behavior, place });
        }
    }

    /// Adds the soft limits with a bit set, out of eight, at the end. The order in which a
    /// behaviour adds them must not depend on where they are stored.
    #[inline(always)]
    pub(crate) fn add_block<L: Lanes>(&mut self, l: L, limit: LimitRow<L>, bits: u8) {
        let (requested, (normal, bound, _)) = (self.requested, limit);
        let slack = l.sub(dot(l, normal, requested.to_array().map(|x| l.splat(x))), bound);
        self.is_missed |= bits & l.bits(l.lt(slack, l.splat(0.0))) != 0;
        self.soft.add_block(l, limit, bits, requested);
    }

    /// The limits of another behaviour follow.
    #[inline(always)]
    pub(crate) fn begin(&mut self, behavior: usize, place: Option<usize>) {
        if let Some(noted) = &mut self.noted {
            (noted.behavior, noted.place) = (behavior, place);
        }
        self.soft.begin();
    }

    pub(crate) fn hard(&self) -> &[HalfSpace] {
        &self.hard
    }

    pub(crate) fn soft(&self) -> &SoftLimits {
        &self.soft
    }

    /// Whether the requested velocity keeps all limits that have been added so far.
    #[inline(always)]
    pub fn are_kept(&self) -> bool {
        !self.is_missed
    }

    /// Begins a tick.
    #[inline(always)]
    pub(crate) fn open(
        &mut self,
        plane: SteeringPlane,
        velocity: Vec3,
        requested: Vec3,
        haste: Haste,
    ) {
        (self.plane, self.haste) = (plane, haste);
        (self.velocity, self.requested, self.permitted) = (velocity, requested, requested);
        (self.is_open, self.is_missed) = (true, false);
        self.hard.clear();
        self.soft.clear();
        self.noted = None;
    }

    /// Begins to note all limits of this tick, for a trace.
    pub(crate) fn begin_notes(&mut self) {
        self.noted = Some(Box::default());
    }

    pub(crate) fn take_notes(&mut self) -> Vec<NotedLimit> {
        self.noted.take().map(|noted| noted.limits).unwrap_or_default()
    }

    /// What the behaviours that drive the agent want, and which share of top speed that is.
    #[inline(always)]
    pub(crate) fn desire(&mut self, velocity: Vec3, drive: f32) {
        (self.desired, self.drive, self.stands) = (velocity, drive, false);
    }

    /// No behaviour moves the agent; whether it brakes.
    #[inline(always)]
    pub(crate) fn idle(&mut self, stands: bool) {
        (self.desired, self.drive, self.stands) = (Vec3::ZERO, 0.0, stands);
    }

    /// Whether no behaviour says where the agent goes, and it brakes: it stands or comes to a halt.
    pub fn stands(&self) -> bool {
        self.stands
    }

    pub(crate) fn permit(&mut self, velocity: Vec3) {
        self.permitted = velocity;
    }
}
