//! How agents arrive: how fast they go at which distance, and when they are there.

use bevy::prelude::*;

use crate::{
    agent::{
        events::Arrived,
        parameter::{ParameterRange, Unit},
        vehicle::Vehicle,
    },
    behavior::Agent,
    space::vector::split,
};

/// How an arriving agent slows down: the speed it wishes for at a distance `d` from its target.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum ArriveProfile {
    /// `max_speed · d / r` inside this radius `r` (units). Reynolds (1999), "Arrival".
    SlowRadius(#[reflect(@Unit::Length)] f32),
    /// `d / s` for this time `s` (seconds), at most `max_speed`. Buckland (2005), chapter 3.
    Deceleration(#[reflect(@Unit::Time, @ParameterRange::up_to(3.0))] f32),
    /// `√(2 · a · d)`: the fastest stop that the greatest acceleration `a` allows.
    Braking,
}

impl ArriveProfile {
    /// Slows down early.
    pub const SLOW: Self = Self::Deceleration(0.9);
    /// The default.
    pub const NORMAL: Self = Self::Deceleration(0.6);
    /// Slows down late.
    pub const FAST: Self = Self::Deceleration(0.3);
}

impl Default for ArriveProfile {
    fn default() -> Self {
        Self::NORMAL
    }
}

/// How fast and how exactly an agent arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArriveLimits {
    /// Top speed, in units a second.
    pub max_speed: f32,
    /// The largest acceleration, in units a second squared; see
    /// [`Vehicle::max_acceleration`](crate::Vehicle).
    pub max_acceleration: f32,
    /// The target is reached within this many units.
    pub stop_radius: f32,
}

/// The change of velocity that brings an agent to `target` and to rest there.
///
/// The wished velocity points to the target, as fast as the profile says for the distance that is
/// left; inside the stop radius it is zero. Sources: see [`ArriveProfile`].
pub fn arrive(
    position: Vec3,
    velocity: Vec3,
    target: Vec3,
    profile: ArriveProfile,
    limits: ArriveLimits,
) -> Vec3 {
    let ArriveLimits { max_speed, max_acceleration, stop_radius } = limits;
    let (towards, distance) = split(target - position);
    if distance <= stop_radius {
        return -velocity;
    }
    let speed = match profile {
        ArriveProfile::SlowRadius(radius) if radius > 0.0 => max_speed * (distance / radius),
        ArriveProfile::Deceleration(seconds) if seconds > 0.0 => distance / seconds,
        ArriveProfile::SlowRadius(_) | ArriveProfile::Deceleration(_) => max_speed,
        ArriveProfile::Braking => (2.0 * max_acceleration * distance).sqrt(),
    };
    towards * speed.min(max_speed) - velocity
}

/// [`arrive`] for an agent, which brakes with a limited force: never faster than it can stop from,
/// whatever the profile. So it does not overshoot. Nor slower than it needs to get there at all.
/// `offset` is the way to the target.
pub(super) fn arrive_in_time(
    agent: &Agent,
    offset: Vec3,
    profile: ArriveProfile,
    stop_radius: f32,
) -> Vec3 {
    arrive_hastily(agent, offset, profile, stop_radius, 1.0)
}

/// The same with a [haste](Agent::haste) of its own to take on the speed of the profile.
pub(super) fn arrive_hastily(
    agent: &Agent,
    offset: Vec3,
    profile: ArriveProfile,
    stop_radius: f32,
    haste: f32,
) -> Vec3 {
    let Vehicle { max_speed, .. } = *agent.vehicle;
    let max_acceleration = agent.vehicle.max_acceleration();
    let limits = ArriveLimits { max_speed, max_acceleration, stop_radius };
    let mut change = arrive(Vec3::ZERO, agent.velocity, offset, profile, limits) * haste;
    let (way, distance) = split(offset);
    let least = agent.least_speed();
    if distance > stop_radius && (agent.velocity + change).length_squared() < least * least {
        change = way * least - agent.velocity;
    }
    agent.stop_in_time(change, agent.velocity, distance, max_acceleration)
}

/// Whether an agent with this velocity is at rest.
pub(super) fn is_at_rest(agent: &Agent, velocity: Vec3) -> bool {
    /// An agent slower than this share of its top speed is.
    const AT_REST: f32 = 0.02;
    velocity.length() <= AT_REST * agent.vehicle.max_speed
}

/// Notes and reports an arrival: the agent is within `stop_radius` and `rests` there. Returns
/// whether it has arrived just now.
pub(super) fn report_arrival(
    agent: &Agent,
    arrived: &mut bool,
    (distance, stop_radius): (f32, f32),
    rests: bool,
    target_has_moved: bool,
) -> bool {
    /// Beyond this many stop radii it has left,
    const LEFT: f32 = 2.0;
    /// unless it was pushed away, for which it must be so many radii of its body farther.
    const JOSTLED: f32 = 10.0;
    let arrives = !*arrived && distance <= stop_radius && rests;
    let jostled = if target_has_moved { 0.0 } else { JOSTLED * agent.vehicle.radius };
    if arrives {
        *arrived = true;
        agent.emit(Arrived { entity: agent.entity });
    } else if distance > stop_radius * LEFT + jostled {
        *arrived = false;
    }
    arrives
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
