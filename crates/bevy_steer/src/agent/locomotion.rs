//! How an agent moves in ways of its own: components that most agents do without.

use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::{
    agent::parameter::{ParameterRange, Unit},
    space::vector::truncate,
};

/// What an agent does while no behaviour drives it: it has none, all are switched off, or their
/// targets are lost. An agent without this component brakes.
///
/// Behaviours that only avoid something do not drive an agent: it stops, or drifts, and gets out of
/// the way. Where the force of a decision is kept (see [`ThinkEvery`](crate::ThinkEvery)), this one
/// is too. Nothing here needs more than `max_force`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A space ship goes on for ever without its engine.
/// commands.spawn((Vehicle::default(), Seek::new(Vec2::X), WhenIdle::Coast));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum WhenIdle {
    /// Comes to rest as fast as its force and response time allow, as feet and wheels do.
    #[default]
    Brake,
    /// Slows down as in water or air: to 37 % of its speed in every so many seconds.
    Drag(#[reflect(@Unit::Time, @ParameterRange::up_to(10.0))] f32),
    /// Goes on as it does, as a space ship.
    Coast,
}

/// Has steering compute the [`SteeringForce`](crate::SteeringForce) of an agent and not move it.
///
/// For agents that are moved by a physics engine, an animation or a network, which write
/// [`Velocity`](crate::Velocity), `Transform` and, if it matters, [`Heading`](crate::Heading). See
/// [`SteeringSettings::integrate`](crate::SteeringSettings::integrate) for all agents.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SkipIntegration;

/// How fast an agent can turn, whatever its behaviours ask together. An agent without this
/// component turns as they wish.
///
/// Millington (2019), section 3.2, "Kinematic Movement Algorithms": `maxRotation` and
/// `maxAngularAcceleration`. Matters to agents with [`AngularVelocity`](crate::AngularVelocity).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AngularLimits {
    /// The fastest turn, in radians a second. Default 2π. An agent that turns faster, as after a
    /// hit, slows down by `max_accel`.
    #[reflect(@Unit::AngularSpeed, @ParameterRange::up_to(1440.0).degrees())]
    pub max_rate: f32,
    /// The greatest change of it, in radians a second squared. Default 8π.
    #[reflect(@Unit::AngularAcceleration, @ParameterRange::up_to(3600.0).degrees())]
    pub max_accel: f32,
}

impl Default for AngularLimits {
    fn default() -> Self {
        Self { max_rate: TAU, max_accel: 4.0 * TAU }
    }
}

impl AngularLimits {
    /// The angular acceleration that makes this change of the angular velocity `spin` in `response`
    /// seconds, as far as the limits allow.
    pub(crate) fn acceleration(&self, spin: Vec3, change: Vec3, response: f32) -> Vec3 {
        let wished = truncate(spin + change, self.max_rate);
        truncate((wished - spin) / response, self.max_accel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angular_limits_hold_for_rate_and_acceleration() {
        let limits = AngularLimits { max_rate: 2.0, max_accel: 5.0 };
        let acceleration =
            |spin, change| limits.acceleration(Vec3::Z * spin, Vec3::Z * change, 0.5);
        assert_eq!(acceleration(0.0, 1.0), Vec3::Z * 2.0);
        assert_eq!(acceleration(0.0, 9.0), Vec3::Z * 4.0, "to the fastest turn");
        assert_eq!(acceleration(-2.0, 9.0), Vec3::Z * 5.0, "no faster than it can");
        assert_eq!(acceleration(9.0, 0.0), Vec3::Z * -5.0, "back to the fastest turn");
    }
}
