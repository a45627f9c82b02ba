//! Arrival: the speed at each distance from the target, and when an agent has arrived.

use bevy::prelude::*;

use crate::{
    agent::{Arrived, ParameterRange, Unit},
    behavior::{Agent, TargetView, braking::Agility},
    sensing::{Course, Encounters},
    simd::{Arithmetic, One, Vector, dot, each, select, split, truncate},
};

/// How an arriving agent slows down: the requested speed at a distance `d` from its target.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum ArriveProfile {
    /// `max_speed · d / r` inside this radius `r` (units). Reynolds (1999), "Arrival".
    SlowRadius(#[reflect(@Unit::Length)] f32),
    /// `d / s` for this time `s` (seconds), at most `max_speed`. Buckland (2005), chapter 3.
    Deceleration(#[reflect(@Unit::Time, @ParameterRange::up_to(3.0))] f32),
    /// `√(2 · a · d)`: the latest braking that the maximum acceleration `a` allows.
    Braking,
}

impl ArriveProfile {
    /// Slows down early.
    pub const SLOW: Self = Self::Deceleration(0.9);
    /// The default.
    pub const NORMAL: Self = Self::Deceleration(0.6);
    /// Slows down late.
    pub const FAST: Self = Self::Deceleration(0.3);

    /// The requested speed at a distance (units), in units a second: at most `max_speed`, for an
    /// agent that can brake with `max_acceleration` (units a second squared).
    #[inline(always)]
    pub fn speed(self, distance: f32, max_speed: f32, max_acceleration: f32) -> f32 {
        let speed = match self {
            Self::SlowRadius(radius) if radius > 0.0 => max_speed * (distance / radius),
            Self::Deceleration(seconds) if seconds > 0.0 => distance / seconds,
            Self::SlowRadius(_) | Self::Deceleration(_) => max_speed,
            Self::Braking => (2.0 * max_acceleration * distance).sqrt(),
        };
        speed.min(max_speed)
    }
}

impl Default for ArriveProfile {
    fn default() -> Self {
        Self::NORMAL
    }
}

/// The limits of an agent that arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArriveLimits {
    /// Top speed, in units a second.
    pub max_speed: f32,
    /// The maximum acceleration, in units per second squared; see
    /// [`Vehicle::max_acceleration`](crate::Vehicle).
    pub max_acceleration: f32,
    /// The target is reached within this many units.
    pub stop_radius: f32,
}

/// The change of velocity that brings an agent to `target` and to rest there.
///
/// The requested velocity points to the target, with the speed of the profile at the remaining
/// distance; inside the stop radius it is zero. Sources: see [`ArriveProfile`].
pub fn arrive(
    position: Vec3,
    velocity: Vec3,
    target: Vec3,
    profile: ArriveProfile,
    limits: ArriveLimits,
) -> Vec3 {
    let ArriveLimits { max_speed, max_acceleration, stop_radius } = limits;
    let way = split(One, (target - position).to_array());
    let speed = profile.speed(way.1, max_speed, max_acceleration);
    let approach = approach_velocity(One, way, speed, stop_radius);
    Vec3::from(approach) - velocity
}

/// The velocity relative to the target with which an agent goes for it: zero inside the stop
/// radius.
#[inline(always)]
fn approach_velocity<L: Arithmetic>(
    l: L,
    (towards, distance): (Vector<L>, L::F),
    speed: L::F,
    stop_radius: L::F,
) -> Vector<L> {
    let speed = l.select(l.le(distance, stop_radius), l.splat(0.0), speed);
    each!(d => l.mul(towards[d], speed))
}

/// [`Agent::arrive`] as a kernel, from the velocities of the agent and the target, and the
/// direction and length of the way. `speed` is what the profile wants at this distance, relative to
/// the target; for `haste` see [`Agent::haste`].
#[inline(always)]
pub(super) fn arrive_on<L: Arithmetic>(
    l: L,
    agility: &Agility<L>,
    [own, target]: [Vector<L>; 2],
    way: (Vector<L>, L::F),
    speed: L::F,
    stop_radius: L::F,
    haste: L::F,
) -> Vector<L> {
    let approach = approach_velocity(l, way, speed, stop_radius);
    let wanted = truncate(l, each!(d => l.add(target[d], approach[d])), agility.max_speed);
    let change = each!(d => l.mul(l.sub(wanted[d], own[d]), haste));
    // The rest happens in the frame of the target: what counts is whether the agent gets nearer.
    let relative = each!(d => l.sub(own[d], target[d]));
    let change = creep(l, relative, change, way, stop_radius, agility.least_speed);
    agility.stop_in_time(l, change, relative, way.1, agility.max_acceleration)
}

/// This change of velocity, but at least the least speed towards a target that is not reached yet.
#[inline(always)]
fn creep<L: Arithmetic>(
    l: L,
    velocity: Vector<L>,
    change: Vector<L>,
    (towards, distance): (Vector<L>, L::F),
    stop_radius: L::F,
    least: L::F,
) -> Vector<L> {
    let next = each!(d => l.add(velocity[d], change[d]));
    let is_slow = l.lt(dot(l, next, next), l.mul(least, least));
    let creeps = l.and(l.lt(stop_radius, distance), is_slow);
    let creep = each!(d => l.sub(l.mul(towards[d], least), velocity[d]));
    select(l, creeps, creep, change)
}

/// An agent is at rest below this fraction of its top speed.
const AT_REST: f32 = 0.02;

/// Whether others at rest occupy an agent's goal, see [`Agent::hold_before`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// They do not.
    Free,
    /// They do: it waits.
    Waits,
    /// It has waited for so long that it counts as arrived.
    Rests,
}

/// Below this share of its top speed an agent whose goal is taken may come to rest.
pub(super) const PUSHED: f32 = 0.5;
/// It rests there after this time, in seconds.
const PATIENCE: f32 = 1.0;
/// The distance at which an agent is near a goal, in radii. Seven that press towards one goal from
/// all sides stand as far off it, with the default margin between them.
const NEAR_GOAL: f32 = 3.0;

/// Beyond this many stop radii an agent that has arrived has left.
const LEFT: f32 = 2.0;

/// An agent and the target at which it arrives, for [`Agent::report_arrival`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// How far apart they are, in units.
    pub distance: f32,
    /// Within this many units the agent is there.
    pub stop_radius: f32,
    /// Whether the agent is at rest, or moves as the target does.
    pub rests: bool,
    /// Whether the target has moved since the agent arrived: then the agent has left it two stop
    /// radii away, otherwise only when it has been pushed ten of its own radii farther.
    pub target_has_moved: bool,
}

impl Agent<'_> {
    /// The offset to a target; if that has a body, to the nearest position at which the agent
    /// touches it.
    pub fn to_contact(&self, view: &TargetView) -> Vec3 {
        let Some(radius) = view.radius else { return view.offset };
        let (towards, distance) = split(One, view.offset.to_array());
        let is_inside = distance == 0.0;
        let towards = if is_inside { -self.own_way_out() } else { towards.into() };
        towards * (distance - radius - self.vehicle.radius)
    }

    /// The change of velocity that brings the agent to a target at `offset`, which moves at
    /// `velocity`, and to rest relative to it.
    ///
    /// As [`formulas::arrive`](crate::formulas::arrive), but never faster than the agent can stop
    /// from, whatever the profile, so that it does not overshoot; nor slower than it needs to get
    /// there at all. It takes on the speed of the profile in `time_to_target` seconds; with `None`
    /// in its [`response`](Self::response). Within `stop_radius` units it moves as the target does;
    /// see [`reachable`](Self::reachable) for the least that makes sense.
    #[inline]
    pub fn arrive(
        &self,
        offset: Vec3,
        velocity: Vec3,
        profile: ArriveProfile,
        stop_radius: f32,
        time_to_target: Option<f32>,
    ) -> Vec3 {
        let (agility, way) = (self.agility(), split(One, offset.to_array()));
        // It does not follow what counts as rest: two agents that arrive at each other would
        // otherwise keep the velocity that they have in common for ever.
        let ignored = 0.5 * AT_REST * self.vehicle.max_speed;
        let followed = velocity * (1.0 - ignored / velocity.length()).max(0.0);
        let velocities = [self.velocity, followed].map(|v| v.to_array());
        // To a target that comes closer it moves at top speed too.
        let closing = (-dot(One, way.0, velocities[1])).max(0.0);
        let top_speed = agility.max_speed + closing;
        let speed = profile.speed(way.1, top_speed, agility.max_acceleration);
        let haste = self.haste(time_to_target);
        arrive_on(One, &agility, velocities, way, speed, stop_radius, haste).into()
    }

    /// Whether agents at rest occupy the goal of a course, so that the agent waits before it, and
    /// has arrived ([`Hold::Rests`]) after a second. `velocity` is that of the goal; `held` is kept
    /// by the behaviour: for how long it has been held, in seconds, less the time since.
    ///
    /// It knows only of agents that are among its encounters.
    pub fn hold_before(
        &self,
        held: &mut f32,
        encounters: &Encounters,
        course: &Course,
        velocity: Vec3,
        stop_radius: f32,
    ) -> Hold {
        let is_held = course.place.length() > stop_radius
            && self.is_slow(velocity)
            && self.is_kept_out(encounters, course, velocity, stop_radius);
        *held = if is_held { *held + self.dt } else { *held - self.dt }.clamp(0.0, 2.0 * PATIENCE);
        match *held {
            held if held <= 0.0 => Hold::Free,
            held if held < PATIENCE => Hold::Waits,
            _ => Hold::Rests,
        }
    }

    /// Whether it is within three radii of its goal, which moves at `velocity`, or of the nearest
    /// place if the body does not fit there, and slow relative to that. A behaviour tells others of
    /// such a goal, so that of several agents with the same goal the nearest goes ahead: see
    /// [`near_goal`](crate::SteeringBehavior::near_goal).
    pub fn is_near_goal(&self, course: &Course, velocity: Vec3) -> bool {
        self.is_slow(velocity) && course.place.length() <= NEAR_GOAL * self.vehicle.radius
    }

    /// Whether it is so slow, relative to a goal that moves at `velocity`, that it may come to rest
    /// where that is taken.
    fn is_slow(&self, velocity: Vec3) -> bool {
        (self.velocity - velocity).length() <= PUSHED * self.vehicle.max_speed
    }

    /// Whether others leave no room at a goal. It is enough that one of those that the agent nearly
    /// touches
    ///
    /// - is at its own goal, and its body covers the goal of the agent,
    /// - has the same goal and rests near it, so that this is within the room that both keep,
    /// - or has the same goal and is nearer to it.
    ///
    /// Goals are the same if they are so close together that only one agent finds room there.
    fn is_kept_out(
        &self,
        encounters: &Encounters,
        course: &Course,
        velocity: Vec3,
        stop_radius: f32,
    ) -> bool {
        let (distance, own) = (course.place.length(), self.vehicle.size());
        let own_room = encounters.claim(self).map_or(self.vehicle.radius, |claim| claim.room);
        encounters.close(self, 2.0 * own).any(|other| {
            let radius = other.radius.unwrap_or(own);
            let off = other.offset.distance(course.place);
            let moved = (other.velocity - velocity).length();
            let stands = moved <= PUSHED * self.vehicle.max_speed;
            let both = radius + self.vehicle.radius;
            // Not one that waits there for another goal, or passes.
            let is_idle = || other.claim.is_none_or(|claim| claim.desired == [0.0; 3]);
            let is_there =
                other.near_goal.map_or_else(is_idle, |goal| goal.distance(other.offset) < radius);
            let shares = other.near_goal.is_some_and(|goal| goal.distance(course.goal) < both);
            let rests = shares && moved <= AT_REST * self.vehicle.max_speed;
            // The agent keeps more than the bodies apart.
            let room = own_room + other.claim.map_or(radius, |claim| claim.room);
            let covers = is_there && off + stop_radius < both || rests && off < room;
            stands && (covers || shares && off < distance)
        })
    }

    /// Whether it is slower than a fiftieth of its top speed.
    pub fn is_at_rest(&self) -> bool {
        self.moves_with(Vec3::ZERO)
    }

    /// Whether it is at rest relative to something that moves at this velocity: whether their
    /// velocities differ by less than a fiftieth of its top speed.
    pub fn moves_with(&self, velocity: Vec3) -> bool {
        (self.velocity - velocity).length() <= AT_REST * self.vehicle.max_speed
    }

    /// Sets `arrived`, and triggers [`Arrived`] for observers of the agent, as soon as it rests at
    /// its target; resets `arrived` when it has left. Returns whether it has arrived just now.
    ///
    /// Call it in every tick with what the behaviour keeps in its component.
    pub fn report_arrival(&self, arrived: &mut bool, arrival: Arrival) -> bool {
        /// One that was pushed away has left when it is this much farther, in radii.
        const JOSTLED: f32 = 10.0;
        let Arrival { distance, stop_radius, rests, target_has_moved } = arrival;
        let arrives = !*arrived && distance <= stop_radius && rests;
        let jostled = if target_has_moved { 0.0 } else { JOSTLED * self.vehicle.size() };
        if arrives {
            *arrived = true;
            self.emit(Arrived { entity: self.entity });
        } else if distance > stop_radius * LEFT + jostled {
            *arrived = false;
        }
        arrives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed_at(distance: f32, profile: ArriveProfile) -> f32 {
        let limits = ArriveLimits { max_speed: 10.0, max_acceleration: 8.0, stop_radius: 0.5 };
        arrive(Vec3::ZERO, Vec3::ZERO, Vec3::X * distance, profile, limits).x
    }

    #[test]
    fn slow_radius_slows_in_proportion() {
        let profile = ArriveProfile::SlowRadius(4.0);
        assert_eq!(speed_at(8.0, profile), 10.0);
        assert_eq!(speed_at(4.0, profile), 10.0);
        assert_eq!(speed_at(2.0, profile), 5.0);
    }

    #[test]
    fn deceleration_takes_a_time() {
        assert!((speed_at(3.0, ArriveProfile::NORMAL) - 5.0).abs() < 1e-5);
        assert!((speed_at(3.0, ArriveProfile::SLOW) - 3.333_333).abs() < 1e-5);
        assert_eq!(speed_at(3.0, ArriveProfile::FAST), 10.0);
    }

    #[test]
    fn braking_is_the_fastest_stop() {
        // v² = 2·8·4
        assert_eq!(speed_at(4.0, ArriveProfile::Braking), 8.0);
        assert_eq!(speed_at(50.0, ArriveProfile::Braking), 10.0);
    }

    #[test]
    fn inside_the_stop_radius_it_brakes() {
        let limits = ArriveLimits { max_speed: 10.0, max_acceleration: 8.0, stop_radius: 0.5 };
        let change =
            arrive(Vec3::ZERO, Vec3::Y * 3.0, Vec3::X * 0.4, ArriveProfile::Braking, limits);
        assert_eq!(change, Vec3::Y * -3.0);
    }

    #[test]
    fn invalid_profiles_go_at_full_speed() {
        for profile in [ArriveProfile::SlowRadius(0.0), ArriveProfile::Deceleration(-1.0)] {
            assert_eq!(speed_at(3.0, profile), 10.0);
        }
    }
}
