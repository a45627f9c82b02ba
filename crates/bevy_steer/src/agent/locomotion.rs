//! Optional components that change how an agent moves, and how often it decides
//! ([`ThinkEvery`]).

use core::f32::consts::TAU;

use bevy::prelude::*;

use crate::{
    agent::{
        id::AgentId,
        parameter::{ParameterRange, Unit, builders},
    },
    space::truncate,
};

/// What an agent does while no behaviour moves it: it has none, all are disabled, or their targets
/// are lost. An agent without this component brakes.
///
/// Avoidance behaviours do not count as moving the agent: an idle agent stops, or drifts, and moves
/// out of the way. Like every force, this one is kept between decisions (see [`ThinkEvery`]) and
/// does not exceed `max_force`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A space ship keeps its velocity when its engine is off.
/// commands.spawn((Vehicle::default(), Seek::new(Vec2::X), WhenIdle::Coast));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum WhenIdle {
    /// Comes to rest as fast as force and response time allow, like a walker or a car.
    #[default]
    Brake,
    /// Slows down as in water or air. The value is the drag time constant: speed falls to 1/e every
    /// this many seconds.
    Drag(#[reflect(@Unit::Time, @ParameterRange::up_to(10.0))] f32),
    /// Keeps its velocity, like a space ship.
    Coast,
}

/// Computes the [`SteeringForce`](crate::SteeringForce) of an agent but does not move it.
///
/// For agents that are moved by a physics engine, an animation or a network, which write
/// [`Velocity`](crate::Velocity), `Transform` and, if it matters, [`Heading`](crate::Heading). See
/// [`SteeringSettings::integrate`](crate::SteeringSettings::integrate) for all agents.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SkipIntegration;

/// A limit on the turn rate of an agent: a cap on all behaviours combined. An agent without this
/// component turns as its behaviours request.
///
/// Millington (2019), section 3.2, "Kinematic Movement Algorithms": `maxRotation` and
/// `maxAngularAcceleration`. Applies to agents with [`AngularVelocity`](crate::AngularVelocity).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct AngularLimits {
    /// The maximum turn rate, in radians a second. Default 2π. An agent that turns faster, for
    /// example after a collision, slows down by `max_accel`.
    #[reflect(@Unit::AngularSpeed, @ParameterRange::up_to(1440.0).degrees())]
    pub max_rate: f32,
    /// The maximum angular acceleration, in radians a second squared. Default 8π.
    #[reflect(@Unit::AngularAcceleration, @ParameterRange::up_to(3600.0).degrees())]
    pub max_accel: f32,
}

impl Default for AngularLimits {
    fn default() -> Self {
        Self { max_rate: TAU, max_accel: 4.0 * TAU }
    }
}

impl AngularLimits {
    builders! {
        /// Sets the maximum turn rate, in radians a second.
        with_max_rate(max_rate: f32);
        /// Sets the maximum angular acceleration, in radians a second squared.
        with_max_accel(max_accel: f32);
    }

    /// The angular acceleration that makes this change of the angular velocity `spin` in `response`
    /// seconds, as far as the limits allow.
    pub(crate) fn acceleration(&self, spin: Vec3, change: Vec3, response: f32) -> Vec3 {
        let requested = truncate(spin + change, self.max_rate);
        truncate((requested - spin) / response, self.max_accel)
    }
}

/// Runs the behaviours of an agent only in every n-th tick; in between the agent keeps its last
/// [`SteeringForce`](crate::SteeringForce). For crowds in the distance.
///
/// The agents' turns are staggered evenly by [`AgentId`] and depend only on that and on
/// [`SteeringTick`], so that they are the same on every run. A new agent drifts until its first
/// turn. The time until the next decision is [`Agent::dt`](crate::Agent::dt), and a vehicle's
/// `response` counts as at least that long: a large n makes an agent sluggish, not unstable.
///
/// 0 and 1 both mean every tick.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Wander::default(), ThinkEvery(4)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct ThinkEvery(pub u32);

impl Default for ThinkEvery {
    /// Every tick.
    fn default() -> Self {
        Self(1)
    }
}

impl ThinkEvery {
    /// The number of ticks that one decision lasts.
    pub(crate) fn ticks(self) -> u32 {
        self.0.max(1)
    }

    /// Whether it is this agent's turn.
    pub(crate) fn is_due(self, id: AgentId, tick: u64) -> bool {
        let every = self.ticks();
        // Runs for every agent in every tick: avoid divisions of 64 bits.
        if every.is_power_of_two() {
            return id.0.wrapping_add(tick) & u64::from(every - 1) == 0;
        }
        match id.0.checked_add(tick).map(u32::try_from) {
            Some(Ok(sum)) => sum.is_multiple_of(every),
            _ => {
                let every = u64::from(every);
                (id.0 % every + tick % every).is_multiple_of(every)
            }
        }
    }
}

/// The number of ticks that steering has run. Part of the state that a rollback must restore if
/// agents have [`ThinkEvery`].
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct SteeringTick(pub u64);

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

    #[test]
    fn turns_are_shared_out_evenly() {
        for every in [1, 2, 3, 7] {
            for tick in [0, 5, u64::MAX] {
                let due = |i: u64| ThinkEvery(every).is_due(AgentId(i), tick);
                let thinking = (0..u64::from(every) * 10).filter(|&i| due(i)).count();
                assert_eq!(thinking, 10, "every {every}, tick {tick}");
            }
        }
    }

    #[test]
    fn large_numbers_have_their_turns_too() {
        for every in [3, 4, 1000, u32::MAX] {
            for number in [0, 7, 1 << 40, u64::MAX - 9] {
                let turns = |tick: u64| ThinkEvery(every).is_due(AgentId(number), tick);
                let every = u64::from(every);
                let first = (every - number % every) % every;
                assert!(turns(first) && turns(first + every), "{every} {number}");
                assert!(!turns(first + 1) && !turns(first + every - 1), "{every} {number}");
            }
        }
    }

    #[test]
    fn zero_is_every_tick() {
        assert!((0..9).all(|tick| ThinkEvery(0).is_due(AgentId(5), tick)));
    }
}
