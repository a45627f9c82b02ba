//! Cruise: move straight ahead at a speed.

use bevy::prelude::*;

use crate::{
    agent::{Blend, ParameterRange, Priority, builders},
    behavior::{Agent, DebugDraw, DebugLayer, ParamOf, Steering, SteeringBehavior},
};

/// The change of velocity that makes an agent move along its heading (a unit vector) at `speed`.
pub fn cruise(velocity: Vec3, heading: Vec3, speed: f32) -> Vec3 {
    heading * speed - velocity
}

/// Moves straight ahead in the direction that it faces, at a fraction of its top speed.
///
/// Other behaviours turn it: with [`Align`](crate::Align) or [`Face`](crate::Face) it moves like a
/// car or a ship, with avoidance behaviours like a rolling ball.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Cruise::new(0.5), AvoidObstacles::default()));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Cruise {
    /// Its speed, as a fraction of its top speed. Default 1. With a negative speed it moves
    /// backwards, if another behaviour turns it.
    #[reflect(@ParameterRange::at_most(1.0))]
    pub speed: f32,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
}

impl Default for Cruise {
    fn default() -> Self {
        Self { speed: 1.0, blend: Blend::default() }
    }
}

impl Cruise {
    /// Cruises at this fraction of the top speed.
    pub fn new(speed: f32) -> Self {
        Self { speed, ..Self::default() }
    }

    builders! {
        /// Sets the speed, as a fraction of its top speed.
        with_speed(speed: f32);
    }

    fn wanted_speed(&self, agent: &Agent) -> f32 {
        self.speed * agent.vehicle.max_speed
    }
}

impl SteeringBehavior for Cruise {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(cruise(agent.velocity, agent.heading(), self.wanted_speed(agent)))
    }

    /// Draws the position of the agent in one second.
    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        let way = agent.heading() * self.wanted_speed(agent);
        draw.arrow(DebugLayer::Guess, agent.position, agent.position + way);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cruises_along_the_heading() {
        assert_eq!(cruise(Vec3::X * 2.0, Vec3::Y, 3.0), Vec3::new(-2.0, 3.0, 0.0));
        assert_eq!(cruise(Vec3::X * 2.0, Vec3::X, 2.0), Vec3::ZERO);
    }
}
