//! Turning smoothly to a direction, for the angular behaviours.

use core::f32::consts::{PI, TAU};

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{ParameterRange, Unit, WhenNone, builders},
    behavior::{Agent, Steering},
    simd::MAX_MAGNITUDE,
    space::{SteeringPlane, direction, split, truncate},
};

/// How fast an agent turns, and how it slows down near the requested angle. All angles in radians.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct TurnLimits {
    /// The angle below which it stops turning. Default 0.01.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(180.0).degrees())]
    pub stop_angle: f32,
    /// The angle below which it turns more slowly. Default 2.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(180.0).degrees())]
    pub slow_angle: f32,
    /// The maximum turn rate, in radians a second. Default 2π.
    #[reflect(@Unit::AngularSpeed, @ParameterRange::up_to(1440.0).degrees())]
    pub max_rate: f32,
    /// The maximum angular acceleration, in radians per second squared. Default 8π.
    #[reflect(@Unit::AngularAcceleration, @ParameterRange::up_to(3600.0).degrees())]
    pub max_accel: f32,
    /// How fast it adopts the requested rate, in seconds. Default `None`: the vehicle's
    /// [`response`](crate::Vehicle::response).
    #[reflect(@Unit::Time, @ParameterRange::up_to(3.0), @WhenNone("the vehicle's response"))]
    pub time_to_target: Option<f32>,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            stop_angle: 0.01,
            slow_angle: 2.0,
            max_rate: TAU,
            max_accel: 4.0 * TAU,
            time_to_target: None,
        }
    }
}

/// The change of turn rate that brings an agent to an angle and to rest there.
///
/// `difference` is the requested angle minus the present one (radians, any number of turns), `rate`
/// the present rate (radians a second). The requested rate is `max_rate` towards the angle,
/// proportional to the difference inside `slow_angle`, and zero inside `stop_angle`. Millington
/// (2006), section 3.3, "Align".
pub fn align(difference: f32, rate: f32, stop_angle: f32, slow_angle: f32, max_rate: f32) -> f32 {
    let difference = PI - ops::rem_euclid(PI - difference, TAU);
    if difference.abs() <= stop_angle {
        return -rate;
    }
    let share = if slow_angle > 0.0 { (difference.abs() / slow_angle).min(1.0) } else { 1.0 };
    (max_rate * share).copysign(difference) - rate
}

/// The rotation vector (axis times angle) of the shortest turn from `heading` to `wanted`; about
/// the plane's normal if they are opposite.
pub fn turn_towards(plane: SteeringPlane, heading: Vec3, wanted: Vec3) -> Vec3 {
    let (axis, sin) = split(heading.cross(wanted));
    let cos = heading.dot(wanted);
    if sin > 0.0 {
        axis * ops::atan2(sin, cos)
    } else if cos < 0.0 {
        let normal = direction(plane.normal() - heading * plane.normal().dot(heading));
        let axis = if normal == Vec3::ZERO { Vec3::X } else { normal };
        axis * PI
    } else {
        Vec3::ZERO
    }
}

impl TurnLimits {
    builders! {
        /// Sets the angle below which it stops turning, in radians.
        with_stop_angle(stop_angle: f32);
        /// Sets the angle below which it turns more slowly, in radians.
        with_slow_angle(slow_angle: f32);
        /// Sets the maximum turn rate, in radians a second.
        with_max_rate(max_rate: f32);
        /// Sets the maximum angular acceleration, in radians a second squared.
        with_max_accel(max_accel: f32);
        /// Sets how fast it adopts the requested rate, in seconds.
        with_time_to_target(time_to_target: impl Into<Option<f32>>);
    }

    /// The change of angular velocity that turns an agent to face along `wanted` and stop there.
    ///
    /// [`align`] about the axis of the turn, never faster than it can stop; rotation about other
    /// axes is braked.
    pub(super) fn turn(&self, agent: &Agent, wanted: Vec3) -> Steering {
        let turn = turn_towards(agent.plane, agent.heading(), direction(wanted));
        let (axis, angle) = split(turn);
        let spin = agent.plane.flatten_turn(agent.angular_velocity);
        let about = spin.dot(axis);
        let rate = about + align(angle, about, self.stop_angle, self.slow_angle, self.max_rate);
        // Without a limit the rate is infinite.
        let requested = axis * rate.clamp(-MAX_MAGNITUDE, MAX_MAGNITUDE);
        let change = (requested - spin) * agent.haste(self.time_to_target);
        let max_accel =
            agent.limits.map_or(self.max_accel, |limits| limits.max_accel.min(self.max_accel));
        let change = agent.stop_in_time(change, spin, angle, max_accel);
        Steering::angular(truncate(change, max_accel * agent.response()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::FRAC_PI_2;

    #[test]
    fn turns_the_short_way() {
        let turn = turn_towards(SteeringPlane::Xy, Vec3::X, Vec3::Y);
        assert!((turn - Vec3::Z * FRAC_PI_2).length() < 1e-6);
        let turn = turn_towards(SteeringPlane::Xz, Vec3::X, Vec3::Z);
        assert!((turn - Vec3::NEG_Y * FRAC_PI_2).length() < 1e-6);
        let turn = turn_towards(SteeringPlane::Free, Vec3::NEG_Z, Vec3::Y);
        assert!((turn - Vec3::X * FRAC_PI_2).length() < 1e-6);
    }

    #[test]
    fn turns_about_the_normal_when_it_must_turn_round() {
        for plane in SteeringPlane::ALL {
            let forward = plane.forward();
            assert_eq!(turn_towards(plane, forward, -forward), plane.normal() * PI);
            assert_eq!(turn_towards(plane, forward, forward), Vec3::ZERO);
            assert_eq!(turn_towards(plane, forward, Vec3::ZERO), Vec3::ZERO);
        }
        assert!(
            (turn_towards(SteeringPlane::Free, Vec3::Y, Vec3::NEG_Y).length() - PI).abs() < 1e-6
        );
    }

    #[test]
    fn turns_about_an_axis_across_its_heading() {
        for heading in [Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.6, -0.48, 0.64)] {
            let turn = turn_towards(SteeringPlane::Free, heading, -heading);
            assert!(turn.dot(heading).abs() < 1e-5 && (turn.length() - PI).abs() < 1e-5, "{turn}");
        }
    }

    #[test]
    fn wants_the_full_rate_far_off_and_a_share_of_it_near() {
        assert_eq!(align(2.0, 0.5, 0.1, 1.0, 3.0), 2.5);
        assert_eq!(align(-2.0, 0.0, 0.1, 1.0, 3.0), -3.0);
        assert_eq!(align(0.5, 0.0, 0.1, 1.0, 3.0), 1.5);
        assert_eq!(align(0.05, 0.7, 0.1, 1.0, 3.0), -0.7);
    }

    #[test]
    fn differences_are_mapped_to_half_a_turn() {
        assert!(align(TAU - 2.0, 0.0, 0.1, 1.0, 3.0) < 0.0);
        assert!(align(2.0 - 3.0 * TAU, 0.0, 0.1, 1.0, 3.0) > 0.0);
        assert_eq!(align(TAU, 0.2, 0.1, 1.0, 3.0), -0.2);
    }
}
