//! Face: turn to a target.

use bevy::prelude::*;

use crate::{
    agent::{AngularVelocity, Blend, Memory, Priority, builders},
    behavior::{
        Agent, DebugDraw, ParamOf, STargets, Steering, SteeringBehavior, Target, TargetMemory,
    },
    behaviors::turning::TurnLimits,
    space::NEGLIGIBLE,
};

/// Turns to face a target, independently of the agent's direction of motion. Millington (2006),
/// section 3.3, "Face".
///
/// Requires [`AngularVelocity`], so the agent no longer faces along its velocity by itself.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands, enemy: Entity) {
/// // A tank that drives to the right with its gun on the enemy.
/// commands.spawn((Vehicle::default(), Seek::new(Vec2::X * 1e3), Face::new(enemy)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AngularVelocity)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Face {
    /// The target.
    #[entities]
    pub target: Target,
    /// How fast it turns.
    pub limits: TurnLimits,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// The memory of the target.
    #[entities]
    pub memory: Memory<TargetMemory>,
}

impl Face {
    /// Faces a point (`Vec3`, `Vec2`), an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets how fast it turns.
        with_limits(limits: TurnLimits);
    }
}

impl SteeringBehavior for Face {
    type Param = STargets;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        match targets.find(agent, &self.target, &mut self.memory) {
            Some(view) if view.offset.length_squared() > NEGLIGIBLE * NEGLIGIBLE => {
                self.limits.turn(agent, view.offset)
            }
            _ => Steering::NONE,
        }
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        draw.way(agent, view.offset);
    }
}
