//! Align: look in a fixed direction.

use bevy::{ecs::entity::MapEntities, math::ops, prelude::*};
use core::f32::consts::{PI, TAU};

use crate::{
    agent::{
        blend::{Blend, Priority},
        builders::builders,
        parameter::{ParameterRange, Unit},
        vehicle::AngularVelocity,
    },
    behavior::{
        Agent, DebugDraw, ParamOf, Steering, SteeringBehavior, Target, TargetMemory, TargetView,
        Targets,
    },
    behaviors::TurnLimits,
};

/// The change of turning rate that brings an agent to an angle and to rest there.
///
/// `difference` is the wished angle minus the present one (radians, any number of turns), `rate` the present rate (radians
/// a second). The wished rate is `max_rate` towards the angle, in proportion inside `slow_angle`, zero inside `stop_angle`.
/// Millington (2006), section 3.3, "Align".
pub fn align(difference: f32, rate: f32, stop_angle: f32, slow_angle: f32, max_rate: f32) -> f32 {
    let difference = PI - ops::rem_euclid(PI - difference, TAU);
    if difference.abs() <= stop_angle {
        return -rate;
    }
    let share = if slow_angle > 0.0 { (difference.abs() / slow_angle).min(1.0) } else { 1.0 };
    (max_rate * share).copysign(difference) - rate
}

/// The direction that [`Align`] turns to.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Bearing {
    /// An angle in radians, see [`SteeringPlane::direction`](crate::SteeringPlane::direction).
    Angle(#[reflect(@Unit::Angle, @ParameterRange::up_to(360.0).degrees())] f32),
    /// A direction in the world; its length does not matter.
    Direction(Vec3),
    /// As another entity looks.
    Like(#[entities] Entity),
}

impl Default for Bearing {
    fn default() -> Self {
        Self::Angle(0.0)
    }
}

/// Turns to look in a direction, or as another entity looks, whatever way it moves.
///
/// Brings [`AngularVelocity`], so the agent no longer looks where it goes by itself.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AngularVelocity)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Align {
    /// The direction to look in.
    #[entities]
    pub bearing: Bearing,
    /// How fast.
    pub limits: TurnLimits,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
    /// What it remembers of the entity in `bearing`.
    #[entities]
    pub memory: TargetMemory,
}

impl Align {
    /// Looks at this angle (radians), see [`SteeringPlane::direction`](crate::SteeringPlane::direction).
    pub fn to_angle(angle: f32) -> Self {
        Self { bearing: Bearing::Angle(angle), ..Self::default() }
    }

    /// Looks along this direction.
    pub fn to_direction(direction: impl crate::IntoPoint) -> Self {
        Self { bearing: Bearing::Direction(direction.into_point()), ..Self::default() }
    }

    /// Looks as this entity looks.
    pub fn like(entity: Entity) -> Self {
        Self { bearing: Bearing::Like(entity), ..Self::default() }
    }

    builders! {
        /// Turning like this.
        with_limits(limits: TurnLimits);
    }
}

impl Align {
    /// The direction in which it is to look. `see` finds another entity.
    fn wanted(
        &self,
        agent: &Agent,
        see: impl FnOnce(Entity) -> Option<TargetView>,
    ) -> Option<Vec3> {
        match self.bearing {
            Bearing::Angle(angle) => Some(agent.plane.direction(angle)),
            Bearing::Direction(direction) => Some(agent.plane.flatten(direction)),
            Bearing::Like(entity) => see(entity).map(|view| view.heading),
        }
    }
}

impl SteeringBehavior for Align {
    type Param = Targets<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        let mut memory = self.memory;
        let wanted =
            self.wanted(agent, |other| targets.find(agent, &Target::Entity(other), &mut memory));
        self.memory = memory;
        wanted.map_or(Steering::NONE, |wanted| self.limits.turn(agent, wanted))
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        if let Some(wanted) = self.wanted(agent, |other| targets.see(agent, other)) {
            draw.gaze(agent, wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wants_the_full_rate_far_off_and_a_share_of_it_near() {
        assert_eq!(align(2.0, 0.5, 0.1, 1.0, 3.0), 2.5);
        assert_eq!(align(-2.0, 0.0, 0.1, 1.0, 3.0), -3.0);
        assert_eq!(align(0.5, 0.0, 0.1, 1.0, 3.0), 1.5);
        assert_eq!(align(0.05, 0.7, 0.1, 1.0, 3.0), -0.7);
    }

    #[test]
    fn differences_are_mapped_to_half_a_turn() {
        assert!(align(TAU - 2.0, 0.0, 0.1, 1.0, 3.0) < 0.0);
        assert!(align(2.0 - 3.0 * TAU, 0.0, 0.1, 1.0, 3.0) > 0.0);
        assert_eq!(align(TAU, 0.2, 0.1, 1.0, 3.0), -0.2);
    }
}
