//! The prediction of [`Pursue`](crate::Pursue) and [`Evade`](crate::Evade).

use bevy::prelude::*;

use crate::behavior::Agent;

/// How [`Pursue`](crate::Pursue) and [`Evade`](crate::Evade) choose the time `T` for which they
/// predict the target's motion.
///
/// `d` is the distance, `v` the agent's velocity. All times are limited by `max_look_ahead`, and
/// end before the target would pass the agent, so it never turns its back on an approaching target.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub enum Prediction {
    /// `T = d / max_speed`: the time to cover the distance. Reynolds (1999), "Pursuit".
    Distance,
    /// `T = d / |v|` with the agent's present speed. Millington (2006), section 3.3.
    OwnSpeed,
    /// The time after which the agent can intercept the target if that keeps its velocity, see
    /// [`intercept_time`]; if it never can, like [`Distance`](Self::Distance). The default.
    #[default]
    Intercept,
}

/// The time after which an agent at the origin, at this speed, can intercept a target at `offset`
/// that moves at `velocity`: the smallest positive `T` with `|offset + velocity · T| = speed · T`.
/// `None` if there is none.
pub fn intercept_time(offset: Vec3, velocity: Vec3, speed: f32) -> Option<f32> {
    let a = velocity.length_squared() - speed * speed;
    let half_b = offset.dot(velocity);
    let c = offset.length_squared();
    if c == 0.0 {
        return Some(0.0);
    }
    // The roots are q/a and c/q: without cancellation, and for a = 0 (equal speeds) the second is
    // still right. If there are no roots they are NaN.
    let root = (half_b * half_b - a * c).sqrt();
    let q = if half_b > 0.0 { -half_b - root } else { -half_b + root };
    let least = [q / a, c / q]
        .into_iter()
        .filter(|time| *time >= 0.0 && time.is_finite())
        .fold(f32::INFINITY, f32::min);
    least.is_finite().then_some(least)
}

/// A position and a velocity, in units and units a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MovingPoint {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// How far ahead to predict the motion of a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// How the time is chosen.
    pub prediction: Prediction,
    /// The maximum time, in seconds.
    #[doc(alias = "max_prediction")]
    pub max_look_ahead: f32,
}

/// The motion of an approaching target is predicted for at most this fraction of the time after
/// which it is abreast of the agent: in a direction at right angles to its present one.
const BEFORE_ABREAST: f32 = 0.9;

/// The time for which an agent with this top speed predicts the motion of a target, in seconds.
///
/// The predicted position is always on the side of the agent on which the target is, so seeking it
/// never leads away from the target, and fleeing from it never towards it.
pub fn prediction_time(
    agent: MovingPoint,
    target: MovingPoint,
    max_speed: f32,
    look_ahead: LookAhead,
) -> f32 {
    let offset = target.position - agent.position;
    let distance = offset.length();
    // An interception is never later than that.
    let closing = -offset.dot(target.velocity);
    // Not by `max(0.0)`, which may keep a negative zero: that depends on the processor.
    let abreast = if closing > 0.0 { distance * distance / closing } else { f32::INFINITY };
    let over = |speed: f32| {
        if distance > 0.0 { (distance / speed).min(BEFORE_ABREAST * abreast) } else { 0.0 }
    };
    let time = match look_ahead.prediction {
        Prediction::Distance => over(max_speed),
        Prediction::OwnSpeed => over(agent.velocity.length()),
        Prediction::Intercept => {
            intercept_time(offset, target.velocity, max_speed).unwrap_or_else(|| over(max_speed))
        }
    };
    let time = time.min(look_ahead.max_look_ahead).max(0.0);
    // An agent at rest without a limit does not predict.
    if time.is_finite() { time } else { 0.0 }
}

impl LookAhead {
    /// [`prediction_time`] for an agent and a target at `offset` from it.
    pub(super) fn time(self, agent: &Agent, offset: Vec3, velocity: Vec3) -> f32 {
        let own = MovingPoint { position: Vec3::ZERO, velocity: agent.velocity };
        let target = MovingPoint { position: offset, velocity };
        prediction_time(own, target, agent.vehicle.max_speed, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intercept_of_a_crosser() {
        // It runs up at 3 from (8, 0); at speed 5 one meets it after 2 s at (8, 6).
        let time = intercept_time(Vec3::X * 8.0, Vec3::Y * 3.0, 5.0).unwrap();
        assert!((time - 2.0).abs() < 1e-5, "{time}");
    }

    #[test]
    fn intercept_of_comers_and_goers() {
        let time = |w: f32| intercept_time(Vec3::X * 10.0, Vec3::X * w, 5.0);
        assert!((time(-5.0).unwrap() - 1.0).abs() < 1e-6);
        assert!((time(3.0).unwrap() - 5.0).abs() < 1e-5);
        assert_eq!(time(5.0), None);
        assert_eq!(time(8.0), None);
        // A faster one that comes nearer first can be met; the first meeting counts.
        assert!((time(-15.0).unwrap() - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_long_chase_is_as_precise() {
        // The other one is nearly as fast, and runs off slantwise.
        let (offset, velocity) = (Vec3::new(3.0, 1.0, 0.0), Vec3::X * (1.0 - 1.0 / 4096.0));
        let time = intercept_time(offset, velocity, 1.0).unwrap();
        let there = offset.as_dvec3() + velocity.as_dvec3() * f64::from(time);
        let gap = there.length() - f64::from(time);
        assert!(time > 1000.0 && gap.abs() < 1e-6 * there.length(), "{time} {gap}");
    }

    #[test]
    fn times_of_each_kind_and_their_cap() {
        let time = |prediction, max| {
            let agent = MovingPoint { velocity: Vec3::Y * 2.0, ..default() };
            let target = MovingPoint { position: Vec3::X * 10.0, velocity: Vec3::X * 3.0 };
            let look_ahead = LookAhead { prediction, max_look_ahead: max };
            prediction_time(agent, target, 5.0, look_ahead)
        };
        assert_eq!(time(Prediction::Distance, 9.0), 2.0);
        assert_eq!(time(Prediction::OwnSpeed, 9.0), 5.0);
        assert!((time(Prediction::Intercept, 9.0) - 5.0).abs() < 1e-5);
        assert_eq!(time(Prediction::OwnSpeed, 1.5), 1.5);
    }

    #[test]
    fn agents_at_rest_and_at_the_target_have_a_time() {
        for prediction in [Prediction::Distance, Prediction::OwnSpeed, Prediction::Intercept] {
            let time = |position, max_look_ahead| {
                let target = MovingPoint { position, velocity: Vec3::Y };
                let look_ahead = LookAhead { prediction, max_look_ahead };
                prediction_time(MovingPoint::default(), target, 0.0, look_ahead)
            };
            assert_eq!(time(Vec3::X, 3.0), 3.0, "{prediction:?}");
            assert_eq!(time(Vec3::ZERO, 3.0), 0.0, "{prediction:?}");
            assert_eq!(time(Vec3::X, f32::INFINITY), 0.0, "{prediction:?}");
        }
    }
}
