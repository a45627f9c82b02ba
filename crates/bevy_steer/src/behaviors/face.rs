//! Face: look at somebody.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use super::{TurnLimits, blend_field};
use crate::{
    behavior::{Agent, Steering, SteeringBehavior},
    blend::{Blend, Priority},
    sketch::Sketch,
    target::{Target, Targets, Tracking},
    vector::NEGLIGIBLE,
    vehicle::AngularVelocity,
};

/// Turns to look at a target, whatever way the agent moves. Millington (2006), section 3.3, "Face".
///
/// Brings [`AngularVelocity`], so the agent no longer looks where it goes by itself.
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
    /// At whom.
    #[entities]
    pub target: Target,
    /// How fast it turns.
    pub limits: TurnLimits,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
    /// What it remembers of the target.
    #[entities]
    pub tracking: Tracking,
}

impl Face {
    /// Looks at a point (`Vec3`, `Vec2`), an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// Turning like this.
    #[must_use]
    pub fn with_limits(mut self, limits: TurnLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl SteeringBehavior for Face {
    type World = Targets<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::Normal;
    blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<Self::World>) -> Steering {
        match targets.find(agent, &self.target, &mut self.tracking) {
            Some(sighting) if sighting.offset.length_squared() > NEGLIGIBLE * NEGLIGIBLE => {
                self.limits.turn(agent, sighting.offset)
            }
            _ => Steering::NONE,
        }
    }

    fn sketch(&self, agent: &Agent, targets: &SystemParamItem<Self::World>, sketch: &mut Sketch) {
        let Some(sighting) = targets.last_seen(agent, &self.target, &self.tracking) else { return };
        sketch.way(agent, sighting.offset);
    }
}
