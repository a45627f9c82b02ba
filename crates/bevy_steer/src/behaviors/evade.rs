//! Evade: flee from where a threat will be.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Memory, ParameterRange, Priority, Unit, WhenNone, builders},
    behavior::{
        Agent, DebugDraw, DebugLayer, ParamOf, STargets, Steering, SteeringBehavior, Target,
        TargetView,
    },
    behaviors::{
        Prediction,
        flee::flee,
        prediction::{LookAhead, MovingPoint, prediction_time},
        threats::{Fear, FearMemory, is_calm, run_from_threats, threat_or_parting},
    },
};

/// The change of velocity that makes an agent flee from where `threat` will be.
///
/// [`flee`] from `threat.position + threat.velocity · T`, with the time `T` by [`prediction_time`];
/// none if the threat is now farther than `panic_distance`. Reynolds (1999), "Evasion".
pub fn evade(
    agent: MovingPoint,
    threat: MovingPoint,
    max_speed: f32,
    look_ahead: LookAhead,
    panic_distance: Option<f32>,
) -> Vec3 {
    let offset = threat.position - agent.position;
    if is_calm(offset, panic_distance) {
        return Vec3::ZERO;
    }
    let time = prediction_time(agent, threat, max_speed, look_ahead);
    flee(Vec3::ZERO, agent.velocity, offset + threat.velocity * time, max_speed, None)
}

/// Flees from where a target will be, and never towards the target, while it is within the panic
/// distance; the counterpart of [`Pursue`](crate::Pursue).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// const HUNTER: SteeringLayers = SteeringLayers::layer(2);
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Vehicle::default(), Evade::new(Target::all(HUNTER, 40.0))));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Evade {
    /// The threat.
    #[entities]
    pub target: Target,
    /// Beyond this distance the threat is ignored, in world units, until it has been closer; then
    /// the agent is calm again 1.2 times as far away. Default `None`: it never is.
    #[reflect(@Unit::Length, @WhenNone("at any distance"))]
    pub panic_distance: Option<f32>,
    /// How the time of the prediction is chosen. Default [`Prediction::Intercept`].
    pub prediction: Prediction,
    /// The maximum time of the prediction, in seconds. Default 5.
    #[reflect(@Unit::Time, @ParameterRange::up_to(10.0))]
    #[doc(alias = "max_prediction")]
    pub max_look_ahead: f32,
    /// Weight, tier (default [`Priority::High`]) and whether it is enabled.
    pub blend: Blend,
    /// What it keeps from tick to tick.
    #[entities]
    pub memory: Memory<FearMemory>,
}

impl Default for Evade {
    fn default() -> Self {
        Self {
            target: Target::default(),
            panic_distance: None,
            prediction: Prediction::default(),
            max_look_ahead: 5.0,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl Evade {
    /// Evades an entity or any other [`Target`], at any distance.
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }

    /// Whether a threat frightens it.
    pub fn is_afraid(&self) -> bool {
        self.memory.afraid
    }

    builders! {
        /// Sets the panic distance, in world units; `None` for everywhere.
        within(panic_distance: impl Into<Option<f32>>);
        /// Sets how the time of the prediction is chosen.
        with_prediction(prediction: Prediction);
        /// Sets the maximum time of the prediction, in seconds.
        with_max_look_ahead(max_look_ahead: f32);
    }

    fn look_ahead(&self) -> LookAhead {
        LookAhead { prediction: self.prediction, max_look_ahead: self.max_look_ahead }
    }
}

impl SteeringBehavior for Evade {
    type Param = STargets;
    const PRIORITY: Priority = Priority::High;
    crate::blend_field!();

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        let look_ahead = self.look_ahead();
        let expected = |offset, view: &TargetView| {
            offset + view.velocity * look_ahead.time(agent, offset, view.velocity)
        };
        let Self { target, memory, panic_distance, .. } = self;
        run_from_threats(agent, targets, target, *panic_distance, memory, expected)
    }

    fn debug_draw(&self, agent: &Agent, targets: &ParamOf<Self>, draw: &mut DebugDraw) {
        let reach = Fear::new(&self.target, self.panic_distance).reach(self.memory.afraid);
        targets.last_seen_all(agent, &self.target, &self.memory.target, |view| {
            if view.offset.length() <= reach {
                let offset = threat_or_parting(agent, view.offset);
                let time = self.look_ahead().time(agent, offset, view.velocity);
                draw.way(agent, view.offset).guess(agent, view, time);
            }
        });
        draw.circle(DebugLayer::Range, agent.position, self.panic_distance.unwrap_or(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_from_the_meeting_point() {
        let agent = MovingPoint { velocity: Vec3::X, ..default() };
        let threat = MovingPoint { position: Vec3::X * 8.0, velocity: Vec3::Y * 3.0 };
        let look_ahead = LookAhead { prediction: Prediction::Intercept, max_look_ahead: 9.0 };
        let change = evade(agent, threat, 5.0, look_ahead, None);
        assert!((change - Vec3::new(-5.0, -3.0, 0.0)).length() < 1e-4, "{change}");
    }

    #[test]
    fn panic_distance_is_to_the_present_position() {
        // It will be on top of the agent, but it is 8 away.
        let threat = MovingPoint { position: Vec3::X * 8.0, velocity: Vec3::X * -4.0 };
        let look_ahead = LookAhead { prediction: Prediction::Distance, max_look_ahead: 1.0 };
        let with = |panic| evade(MovingPoint::default(), threat, 4.0, look_ahead, Some(panic));
        assert_eq!(with(7.0), Vec3::ZERO);
        assert_eq!(with(9.0), Vec3::NEG_X * 4.0);
    }

    #[test]
    fn only_relative_positions_matter() {
        let look_ahead = LookAhead { prediction: Prediction::Intercept, max_look_ahead: 9.0 };
        let from = |position: Vec3, panic| {
            let agent = MovingPoint { position, velocity: Vec3::X };
            let other = position + Vec3::new(8.0, 1.0, 0.0);
            let threat = MovingPoint { position: other, velocity: Vec3::Y * 3.0 };
            evade(agent, threat, 5.0, look_ahead, Some(panic))
        };
        for place in [Vec3::new(4.0, -2.0, 0.0), Vec3::new(-64.0, 32.0, 16.0)] {
            assert!((from(place, 9.0) - from(Vec3::ZERO, 9.0)).length() < 1e-4, "{place}");
            assert_eq!(from(place, 8.0), Vec3::ZERO);
        }
    }
}
