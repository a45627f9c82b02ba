//! What the angular behaviours share: turning smoothly to a direction.

use bevy::{math::ops, prelude::*};

use crate::{
    agent::parameter::{ParameterRange, Unit},
    behavior::{Agent, Steering},
    behaviors::align::align,
    simd::vector::MAX_MAGNITUDE,
    space::{
        plane::SteeringPlane,
        vector::{direction, split, truncate},
    },
};

/// How fast an agent turns, and how it slows down near the wished angle. All angles in radians.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct TurnLimits {
    /// Closer than this it stops turning. Default 0.01.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(180.0).degrees())]
    pub stop_angle: f32,
    /// Closer than this it turns slower. Default 2.
    #[reflect(@Unit::Angle, @ParameterRange::at_most(180.0).degrees())]
    pub slow_angle: f32,
    /// The fastest turn, in radians a second. Default 2π.
    #[reflect(@Unit::AngularSpeed, @ParameterRange::up_to(1440.0).degrees())]
    pub max_rate: f32,
    /// The greatest change of it, in radians a second squared. Default 8π.
    #[reflect(@Unit::AngularAcceleration, @ParameterRange::up_to(3600.0).degrees())]
    pub max_accel: f32,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            stop_angle: 0.01,
            slow_angle: 2.0,
            max_rate: core::f32::consts::TAU,
            max_accel: 4.0 * core::f32::consts::TAU,
        }
    }
}

/// The rotation vector (axis times angle) that turns `heading` to `wanted` the short way; about the plane's normal where
/// they are opposite.
pub fn turn_towards(plane: SteeringPlane, heading: Vec3, wanted: Vec3) -> Vec3 {
    let (axis, sin) = split(heading.cross(wanted));
    let cos = heading.dot(wanted);
    if sin > 0.0 {
        axis * ops::atan2(sin, cos)
    } else if cos < 0.0 {
        let normal = direction(plane.normal() - heading * plane.normal().dot(heading));
        let axis = if normal == Vec3::ZERO { Vec3::X } else { normal };
        axis * core::f32::consts::PI
    } else {
        Vec3::ZERO
    }
}

impl TurnLimits {
    /// The change of angular velocity that turns an agent to look along `wanted` and stop there.
    ///
    /// [`align`] about the axis of the turn, never faster than it can stop from; other turning is braked.
    pub(super) fn turn(&self, agent: &Agent, wanted: Vec3) -> Steering {
        let turn = turn_towards(agent.plane, agent.heading(), direction(wanted));
        let (axis, angle) = split(turn);
        let spin = agent.plane.flatten_turn(agent.angular_velocity);
        let about = spin.dot(axis);
        let rate = about + align(angle, about, self.stop_angle, self.slow_angle, self.max_rate);
        // Without a limit the rate is infinite.
        let wished = axis * rate.clamp(-MAX_MAGNITUDE, MAX_MAGNITUDE);
        let change = agent.stop_in_time(wished - spin, spin, angle, self.max_accel);
        Steering::angular(truncate(change, self.max_accel * agent.response()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f32::consts::{FRAC_PI_2, PI};

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
}
