//! Stop: come to rest.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Priority},
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Steering, SteeringBehavior},
    space::split,
};

/// Brakes to rest, wherever that is, as fast as force and response time allow.
///
/// An agent that no behaviour moves brakes by itself, unless its [`WhenIdle`](crate::WhenIdle) says
/// otherwise: a space ship or a flocking agent needs `Stop`.
///
/// It is one request among others, and does not stop an agent that another behaviour moves. With a
/// [`Seek`](crate::Seek) in the same tier the agent moves at half its speed, with a weight of 9 at
/// a tenth. In a higher tier it is slower, but `Seek` still gets the force that braking leaves,
/// which increases as the agent slows down. [`Arbitration::FirstActive`](crate::Arbitration) lets
/// the agent creep, as `Stop` requests nothing of an agent at rest. So disable the behaviours that
/// move the agent as well. Or set its [`Vehicle::max_speed`](crate::Vehicle::max_speed) to zero,
/// which pins it in place without `Stop`.
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
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
}

impl SteeringBehavior for Stop {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(agent.brake())
    }

    /// Draws the position where the agent will be at rest.
    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        let (along, speed) = split(agent.velocity);
        let braking = 0.5 * speed / agent.vehicle.max_acceleration();
        let place = agent.position + along * (speed * (braking + agent.response()));
        draw.line(DebugLayer::Guess, agent.position, place).mark(DebugLayer::Guess, place);
    }
}
