//! Look where you go: turn smoothly to the direction of motion.

use bevy::prelude::*;

use crate::{
    agent::{AngularVelocity, Blend, Priority, builders},
    behavior::{Agent, DebugDraw, ParamOf, Steering, SteeringBehavior},
    behaviors::turning::TurnLimits,
};

/// Turns to face along its own velocity, at a limited rate. Millington (2006), section 3.3,
/// "Looking Where You're Going".
///
/// Without it an agent also faces along its velocity, but turns without delay. Requires
/// [`AngularVelocity`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AngularVelocity)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct LookWhereYouGo {
    /// How fast it turns.
    pub limits: TurnLimits,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
}

impl LookWhereYouGo {
    /// An agent slower than this fraction of its top speed has no direction of motion.
    const STANDING: f32 = 0.01;

    builders! {
        /// Sets how fast it turns.
        with_limits(limits: TurnLimits);
    }
}

impl SteeringBehavior for LookWhereYouGo {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        if agent.velocity.length() <= agent.vehicle.max_speed * Self::STANDING {
            return Steering::NONE;
        }
        self.limits.turn(agent, agent.velocity)
    }

    fn debug_draw(&self, agent: &Agent, (): &ParamOf<Self>, draw: &mut DebugDraw) {
        draw.gaze(agent, agent.velocity);
    }
}
