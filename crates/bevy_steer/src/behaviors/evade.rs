//! Evade: away from where it will be.

use bevy::{ecs::system::SystemParamItem, prelude::*};

use crate::{
    agent::{
        blend::{Blend, Priority},
        parameter::{ParameterRange, Unit},
    },
    behavior::{
        agent::Agent,
        debug_draw::{DebugDraw, DebugLayer},
        steering_behavior::{Steering, SteeringBehavior},
        target::{Target, TargetMemory, Targets},
    },
    behaviors::{
        Prediction,
        flee::{flee, is_calm, threat_or_parting},
        prediction::prediction_time,
    },
};

/// The change of velocity that makes an agent run from where `threat` will be.
///
/// [`flee`] from `threat + threat_velocity · T`, with the time `T` by [`prediction_time`]; none if the threat is now farther
/// than `panic_distance`. Reynolds (1999), "Evasion".
pub fn evade(
    position: Vec3,
    velocity: Vec3,
    threat: Vec3,
    threat_velocity: Vec3,
    max_speed: f32,
    prediction: Prediction,
    max_prediction: f32,
    panic_distance: Option<f32>,
) -> Vec3 {
    let offset = threat - position;
    if is_calm(offset, panic_distance) {
        return Vec3::ZERO;
    }
    let time =
        prediction_time(offset, velocity, threat_velocity, max_speed, prediction, max_prediction);
    flee(Vec3::ZERO, velocity, offset + threat_velocity * time, max_speed, None)
}

/// Runs from where a target will be while it is within the panic distance; the counterpart of [`Pursue`](crate::Pursue).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Evade::new(Target::nearest(HUNTER, 40.0))));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Evade {
    /// Whom.
    #[entities]
    pub target: Target,
    /// How near it must be now, in units; `None`, the default, for always.
    #[reflect(@Unit::Length)]
    pub panic_distance: Option<f32>,
    /// How far ahead it looks. Default [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// But no farther than this, in seconds. Default 5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(10.0))]
    pub max_prediction: f32,
    /// Its part in arbitration; its own tier is [`Priority::High`].
    pub blend: Blend,
    /// What it remembers of the target.
    #[entities]
    pub memory: TargetMemory,
}

impl Default for Evade {
    fn default() -> Self {
        Self {
            target: Target::default(),
            panic_distance: None,
            prediction: Prediction::default(),
            max_prediction: 5.0,
            blend: Blend::default(),
            memory: TargetMemory::default(),
        }
    }
}

impl Evade {
    /// Evades an entity or any other [`Target`], however far it is.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// Only while the target is within this distance, in units.
    #[must_use]
    pub fn within(mut self, panic_distance: f32) -> Self {
        self.panic_distance = Some(panic_distance);
        self
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

impl SteeringBehavior for Evade {
    type Param = Targets<'static, 'static, ()>;
    const PRIORITY: Priority = Priority::High;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &SystemParamItem<Self::Param>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        if is_calm(view.offset, self.panic_distance) {
            return Steering::NONE;
        }
        Steering::linear(evade(
            Vec3::ZERO,
            agent.velocity,
            threat_or_parting(agent, view.offset),
            view.velocity,
            agent.vehicle.max_speed,
            self.prediction,
            self.max_prediction,
            None,
        ))
    }

    fn debug_draw(
        &self,
        agent: &Agent,
        targets: &SystemParamItem<Self::Param>,
        draw: &mut DebugDraw,
    ) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        if !is_calm(view.offset, self.panic_distance) {
            let offset = threat_or_parting(agent, view.offset);
            let time = prediction_time(
                offset,
                agent.velocity,
                view.velocity,
                agent.vehicle.max_speed,
                self.prediction,
                self.max_prediction,
            );
            draw.way(agent, view.offset).guess(agent, &view, time);
        }
        draw.circle(DebugLayer::Range, agent.position, self.panic_distance.unwrap_or(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_from_the_meeting_point() {
        let change = evade(
            Vec3::ZERO,
            Vec3::X,
            Vec3::X * 8.0,
            Vec3::Y * 3.0,
            5.0,
            Prediction::Intercept,
            9.0,
            None,
        );
        assert!((change - Vec3::new(-5.0, -3.0, 0.0)).length() < 1e-4, "{change}");
    }

    #[test]
    fn panic_counts_from_where_the_threat_is_now() {
        // It will be on top of the agent, but it is 8 away.
        let with = |panic| {
            evade(
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::X * 8.0,
                Vec3::X * -4.0,
                4.0,
                Prediction::Distance,
                1.0,
                Some(panic),
            )
        };
        assert_eq!(with(7.0), Vec3::ZERO);
        assert_eq!(with(9.0), Vec3::NEG_X * 4.0);
    }

    #[test]
    fn it_matters_where_the_two_are_to_each_other_only() {
        let (other, velocity) = (Vec3::new(8.0, 1.0, 0.0), Vec3::Y * 3.0);
        let from = |place: Vec3, panic| {
            let kind = Prediction::Intercept;
            evade(place, Vec3::X, place + other, velocity, 5.0, kind, 9.0, Some(panic))
        };
        for place in [Vec3::new(4.0, -2.0, 0.0), Vec3::new(-64.0, 32.0, 16.0)] {
            assert!((from(place, 9.0) - from(Vec3::ZERO, 9.0)).length() < 1e-4, "{place}");
            assert_eq!(from(place, 8.0), Vec3::ZERO);
        }
    }
}
