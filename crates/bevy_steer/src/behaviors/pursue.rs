//! Pursue: to where it will be.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use crate::{
    agent::{
        blend::{Blend, Priority},
        parameter::{ParameterRange, Unit},
    },
    behavior::{
        agent::Agent,
        debug_draw::DebugDraw,
        steering_behavior::{Steering, SteeringBehavior},
        target::{Target, TargetMemory, Targets},
    },
    behaviors::{Prediction, prediction::prediction_time, seek::seek},
};

/// The change of velocity that makes an agent head for where `target` will be.
///
/// [`seek`] of `target + target_velocity · T`, with the time `T` by [`prediction_time`]. Reynolds (1999), "Pursuit".
pub fn pursue(
    position: Vec3,
    velocity: Vec3,
    target: Vec3,
    target_velocity: Vec3,
    max_speed: f32,
    prediction: Prediction,
    max_prediction: f32,
) -> Vec3 {
    let offset = target - position;
    let time =
        prediction_time(offset, velocity, target_velocity, max_speed, prediction, max_prediction);
    seek(Vec3::ZERO, velocity, offset + target_velocity * time, max_speed)
}

/// Chases a target by heading for where it will be; the target's [`Velocity`](crate::Velocity) tells.
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
    /// Whom.
    #[entities]
    pub target: Target,
    /// How far ahead it looks. Default [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// But no farther than this, in seconds. Default 5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(10.0))]
    pub max_prediction: f32,
    /// Its part in arbitration; its own tier is [`Priority::Normal`].
    pub blend: Blend,
    /// What it remembers of the target.
    #[entities]
    pub memory: TargetMemory,
}

impl Default for Pursue {
    fn default() -> Self {
        Self {
            target: Target::default(),
            prediction: Prediction::default(),
            max_prediction: 5.0,
            blend: Blend::default(),
            memory: TargetMemory::default(),
        }
    }
}

impl Pursue {
    /// Pursues an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// Looking ahead like this.
    #[must_use]
    pub fn with_prediction(mut self, prediction: Prediction) -> Self {
        self.prediction = prediction;
        self
    }

    /// Looking no farther ahead than this, in seconds.
    #[must_use]
    pub fn with_max_prediction(mut self, seconds: f32) -> Self {
        self.max_prediction = seconds;
        self
    }
}

impl SteeringBehavior for Pursue {
    type Param = Targets<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::Normal;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        Steering::linear(pursue(
            Vec3::ZERO,
            agent.velocity,
            view.offset,
            view.velocity,
            agent.vehicle.max_speed,
            self.prediction,
            self.max_prediction,
        ))
    }

    fn debug_draw(
        &self,
        agent: &Agent,
        targets: &SystemParamItem<Self::Param>,
        draw: &mut DebugDraw,
    ) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        let time = prediction_time(
            view.offset,
            agent.velocity,
            view.velocity,
            agent.vehicle.max_speed,
            self.prediction,
            self.max_prediction,
        );
        draw.way(agent, view.offset).guess(agent, &view, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_for_the_meeting_point() {
        // See the test of `intercept_time`: they meet at (8, 6), in the direction (0.8, 0.6).
        let change = pursue(
            Vec3::ZERO,
            Vec3::X,
            Vec3::X * 8.0,
            Vec3::Y * 3.0,
            5.0,
            Prediction::Intercept,
            9.0,
        );
        assert!((change - Vec3::new(3.0, 3.0, 0.0)).length() < 1e-4, "{change}");
    }

    #[test]
    fn looks_ahead_as_told() {
        let towards = |prediction| {
            pursue(Vec3::ZERO, Vec3::ZERO, Vec3::X * 8.0, Vec3::Y * 4.0, 2.0, prediction, 1.5)
        };
        // The cap cuts 4 s to 1.5 s: (8, 6).
        let change = towards(Prediction::Distance);
        assert!((change - Vec3::new(1.6, 1.2, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn it_matters_where_the_two_are_to_each_other_only() {
        let (other, velocity) = (Vec3::new(8.0, 1.0, 0.0), Vec3::Y * 3.0);
        let from = |place: Vec3| {
            let kind = Prediction::Intercept;
            pursue(place, Vec3::X, place + other, velocity, 5.0, kind, 9.0)
        };
        for place in [Vec3::new(4.0, -2.0, 0.0), Vec3::new(-64.0, 32.0, 16.0)] {
            assert!((from(place) - from(Vec3::ZERO)).length() < 1e-4, "{place}");
        }
    }
}
