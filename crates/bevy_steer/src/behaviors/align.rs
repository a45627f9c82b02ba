//! Align: face a direction.

use bevy::{ecs::entity::MapEntities, prelude::*};

use crate::{
    agent::{AngularVelocity, Blend, Memory, ParameterRange, Priority, Unit, builders},
    behavior::{
        Agent, DebugDraw, ParamOf, STargets, Steering, SteeringBehavior, Target, TargetMemory,
        TargetView,
    },
    behaviors::turning::TurnLimits,
    space::Point,
};

/// Turns to face a direction, or the direction that another entity faces, independently of its
/// direction of motion.
///
/// Requires [`AngularVelocity`], so the agent no longer faces along its velocity by itself.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[require(AngularVelocity)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Align {
    /// The direction to face.
    #[entities]
    pub bearing: Bearing,
    /// How fast it turns.
    pub limits: TurnLimits,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// The memory of the entity in `bearing`.
    #[entities]
    pub memory: Memory<TargetMemory>,
}

impl Align {
    /// Faces at this angle (radians), see
    /// [`SteeringPlane::direction`](crate::SteeringPlane::direction).
    pub fn to_angle(angle: f32) -> Self {
        Self { bearing: Bearing::Angle(angle), ..Self::default() }
    }

    /// Faces along this direction.
    pub fn to_direction(direction: impl Into<Point>) -> Self {
        Self { bearing: Bearing::Direction(direction.into()), ..Self::default() }
    }

    /// Faces in the direction that this entity faces.
    pub fn like(entity: Entity) -> Self {
        Self { bearing: Bearing::Like(entity), ..Self::default() }
    }

    builders! {
        /// Sets how fast it turns.
        with_limits(limits: TurnLimits);
    }
}

/// The direction that [`Align`] turns to.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, MapEntities)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Bearing {
    /// An angle in radians, see [`SteeringPlane::direction`](crate::SteeringPlane::direction).
    Angle(#[reflect(@Unit::Angle, @ParameterRange::up_to(360.0).degrees())] f32),
    /// A direction; its length does not matter.
    Direction(Point),
    /// The direction that another entity faces.
    Like(#[entities] Entity),
}

impl Default for Bearing {
    fn default() -> Self {
        Self::Angle(0.0)
    }
}

impl Bearing {
    /// The direction to face. `see` finds another entity.
    fn wanted(self, agent: &Agent, see: impl FnOnce(Entity) -> Option<TargetView>) -> Option<Vec3> {
        match self {
            Self::Angle(angle) => Some(agent.plane.direction(angle)),
            Self::Direction(direction) => {
                Some(agent.plane.flatten(direction.in_plane(agent.plane)))
            }
            Self::Like(entity) => see(entity).map(|view| view.heading),
        }
    }
}

impl SteeringBehavior for Align {
    type Param = STargets;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        let find = |other| targets.find(agent, &Target::Entity(other), &mut self.memory);
        let wanted = self.bearing.wanted(agent, find);
        wanted.map_or(Steering::NONE, |wanted| self.limits.turn(agent, wanted))
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        if let Some(wanted) = self.bearing.wanted(agent, |other| targets.see(agent, other)) {
            draw.gaze(agent, wanted);
        }
    }
}
