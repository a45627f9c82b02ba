//! Match velocity: move at the velocity of a target.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Memory, ParameterRange, Priority, Unit, WhenNone, builders},
    behavior::{
        Agent, DebugDraw, DebugLayer, ParamOf, STargets, Steering, SteeringBehavior, Target,
        TargetMemory,
    },
};

/// The change of velocity that makes an agent move at the velocity of its target:
/// `target_velocity − velocity`. Millington (2006), section 3.3, "Velocity Matching".
pub fn match_velocity(velocity: Vec3, target_velocity: Vec3) -> Vec3 {
    target_velocity - velocity
}

/// Moves at the velocity of a target, wherever the target is.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct MatchVelocity {
    /// The target.
    #[entities]
    pub target: Target,
    /// How fast it adopts the velocity, in seconds. Default `None`: the vehicle's
    /// [`response`](crate::Vehicle::response).
    #[reflect(@Unit::Time, @ParameterRange::up_to(3.0), @WhenNone("the vehicle's response"))]
    pub time_to_target: Option<f32>,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// The memory of the target.
    #[entities]
    pub memory: Memory<TargetMemory>,
}

impl MatchVelocity {
    /// Moves like an entity or any other [`Target`]; a point stands still.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets how fast it adopts the velocity, in seconds.
        with_time_to_target(time_to_target: impl Into<Option<f32>>);
    }
}

impl SteeringBehavior for MatchVelocity {
    type Param = STargets;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        targets.find(agent, &self.target, &mut self.memory).map_or(Steering::NONE, |view| {
            let change = match_velocity(agent.velocity, view.velocity);
            Steering::linear(change * agent.haste(self.time_to_target))
        })
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        let place = agent.position + view.offset;
        draw.way(agent, view.offset).arrow(DebugLayer::Guess, place, place + view.velocity);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wants_the_difference() {
        assert_eq!(match_velocity(Vec3::X, Vec3::Y * 2.0), Vec3::new(-1.0, 2.0, 0.0));
    }
}
