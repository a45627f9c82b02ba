//! Stop: come to rest.

use bevy::prelude::*;

use crate::{
    agent::blend::{Blend, Priority},
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Steering, SteeringBehavior},
    space::vector::split,
};

/// Brakes to rest, wherever that is, as fast as force and response time allow.
///
/// An agent that no behaviour drives does so by itself, unless its [`WhenIdle`](crate::WhenIdle)
/// says otherwise: a space ship or a boid needs `Stop`.
///
/// It is one wish among others, and does not hold an agent that something else drives. Beside a
/// [`Seek`](crate::Seek) in the same tier the agent goes on at half its speed, with a weight of 9
/// at a tenth; in a higher tier it is slower, but `Seek` still gets the force that braking leaves,
/// and the slower the agent is, the more that is. [`Arbitration::FirstActive`](crate::Arbitration)
/// lets it creep, as an agent at rest has nothing to stop. So switch off what drives the agent as
/// well; or set its [`Vehicle::max_speed`](crate::Vehicle::max_speed) to zero, which holds it
/// whatever drives it, without `Stop`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// let ship = (Vehicle::default(), Seek::new(Vec2::X * 9.0), WhenIdle::Coast);
/// commands.spawn((ship, Stop::default().disabled()));
/// # }
/// # fn full_stop(mut ships: Query<(&mut Seek, &mut Stop)>) {
/// for (mut seek, mut stop) in &mut ships {
///     seek.set_enabled(false);
///     stop.set_enabled(true);
/// }
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Stop {
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl SteeringBehavior for Stop {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(agent.brake())
    }

    /// The place where it will be at rest.
    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        let (along, speed) = split(agent.velocity);
        let braking = 0.5 * speed / agent.vehicle.max_acceleration();
        let place = agent.position + along * (speed * (braking + agent.response()));
        draw.line(DebugLayer::Guess, agent.position, place).mark(DebugLayer::Guess, place);
    }
}
