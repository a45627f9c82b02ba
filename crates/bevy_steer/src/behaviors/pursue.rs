//! Pursue: move to where a target will be.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Goal, Memory, ParameterRange, Priority, Unit, builders},
    behavior::{
        Agent, DebugDraw, ParamOf, STargets, Steering, SteeringBehavior, Target, TargetMemory,
    },
    behaviors::{
        Prediction,
        prediction::{LookAhead, MovingPoint, prediction_time},
        seek::seek,
    },
    sensing::Surroundings,
};

/// The change of velocity that makes an agent move to where `target` will be.
///
/// [`seek`] of `target.position + target.velocity · T`, with the time `T` by [`prediction_time`].
/// Reynolds (1999), "Pursuit".
pub fn pursue(
    agent: MovingPoint,
    target: MovingPoint,
    max_speed: f32,
    look_ahead: LookAhead,
) -> Vec3 {
    let time = prediction_time(agent, target, max_speed, look_ahead);
    let meeting = target.position - agent.position + target.velocity * time;
    seek(Vec3::ZERO, agent.velocity, meeting, max_speed)
}

/// Chases a target by moving to where its [`Velocity`](crate::Velocity) will take it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// const PREY: SteeringLayers = SteeringLayers::layer(1);
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Pursue::new(Target::nearest(PREY, 50.0))));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Pursue {
    /// The target.
    #[entities]
    pub target: Target,
    /// How the time of the prediction is chosen. Default [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// The maximum time of the prediction, in seconds. Default 5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(10.0))]
    #[doc(alias = "max_prediction")]
    pub max_look_ahead: f32,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// The memory of the target.
    #[entities]
    pub memory: Memory<TargetMemory>,
}

impl Default for Pursue {
    fn default() -> Self {
        Self {
            target: Target::default(),
            prediction: Prediction::default(),
            max_look_ahead: 5.0,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl Pursue {
    /// Pursues an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    builders! {
        /// Sets how the time of the prediction is chosen.
        with_prediction(prediction: Prediction);
        /// Sets the maximum time of the prediction, in seconds.
        with_max_look_ahead(max_look_ahead: f32);
    }

    fn look_ahead(&self) -> LookAhead {
        LookAhead { prediction: self.prediction, max_look_ahead: self.max_look_ahead }
    }
}

impl SteeringBehavior for Pursue {
    type Param = (STargets, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    crate::blend_field!();

    fn goal(&self) -> Option<Goal> {
        self.target.entity(&self.memory).map(Goal::Reach)
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (targets, surroundings): &ParamOf<Self>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        let time = self.look_ahead().time(agent, view.offset, view.velocity);
        let meeting = view.offset + view.velocity * time;
        let course = surroundings.course(agent, meeting, &mut self.memory.detour);
        Steering::linear(course.seek(agent))
    }

    fn debug_draw(&self, agent: &Agent, (targets, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        let time = self.look_ahead().time(agent, view.offset, view.velocity);
        draw.way(agent, view.offset).guess(agent, &view, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_ahead(prediction: Prediction, max_look_ahead: f32) -> LookAhead {
        LookAhead { prediction, max_look_ahead }
    }

    #[test]
    fn heads_for_the_meeting_point() {
        // See the test of `intercept_time`: they meet at (8, 6), in the direction (0.8, 0.6).
        let agent = MovingPoint { velocity: Vec3::X, ..default() };
        let target = MovingPoint { position: Vec3::X * 8.0, velocity: Vec3::Y * 3.0 };
        let change = pursue(agent, target, 5.0, look_ahead(Prediction::Intercept, 9.0));
        assert!((change - Vec3::new(3.0, 3.0, 0.0)).length() < 1e-4, "{change}");
    }

    #[test]
    fn looks_no_farther_ahead_than_the_cap() {
        let target = MovingPoint { position: Vec3::X * 8.0, velocity: Vec3::Y * 4.0 };
        let look_ahead = look_ahead(Prediction::Distance, 1.5);
        // The cap cuts 4 s to 1.5 s: (8, 6).
        let change = pursue(MovingPoint::default(), target, 2.0, look_ahead);
        assert!((change - Vec3::new(1.6, 1.2, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn only_relative_positions_matter() {
        let from = |position: Vec3| {
            let agent = MovingPoint { position, velocity: Vec3::X };
            let other = position + Vec3::new(8.0, 1.0, 0.0);
            let target = MovingPoint { position: other, velocity: Vec3::Y * 3.0 };
            pursue(agent, target, 5.0, look_ahead(Prediction::Intercept, 9.0))
        };
        for place in [Vec3::new(4.0, -2.0, 0.0), Vec3::new(-64.0, 32.0, 16.0)] {
            assert!((from(place) - from(Vec3::ZERO)).length() < 1e-4, "{place}");
        }
    }
}
