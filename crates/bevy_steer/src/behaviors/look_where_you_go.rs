//! Look where you go: turn to face the motion, smoothly.

use bevy::prelude::*;

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        vehicle::AngularVelocity,
    },
    behavior::{Agent, DebugDraw, ParamOf, Steering, SteeringBehavior},
    behaviors::turning::TurnLimits,
};

/// Turns to look along its own velocity, at a limited rate. Millington (2006), section 3.3,
/// "Looking Where You're Going".
///
/// Without it agents look where they go too, but at once. Brings [`AngularVelocity`].
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AngularVelocity)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct LookWhereYouGo {
    /// How fast it turns.
    pub limits: TurnLimits,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
}

impl LookWhereYouGo {
    /// An agent slower than this share of its top speed has no direction to look along.
    const STANDING: f32 = 0.01;

    builders! {
        /// Turning like this.
        with_limits(limits: TurnLimits);
    }
}

impl SteeringBehavior for LookWhereYouGo {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
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
