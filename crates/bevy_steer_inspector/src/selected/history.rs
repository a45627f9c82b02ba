//! [`History`]: speed and force of the selected agent over the last ten seconds.

use std::collections::VecDeque;

use bevy::{prelude::*, time::Virtual};
use bevy_steer::{SteeringForce, Vehicle, Velocity};

use crate::state::inspector::Inspector;

/// Length of the history, in seconds of virtual time.
pub(crate) const SPAN: f64 = 10.0;

/// Time between two samples, in seconds.
const STEP: f64 = 1.0 / 60.0;

/// The samples of one agent.
#[derive(Resource, Debug, Default)]
pub(crate) struct History {
    agent: Option<Entity>,
    samples: VecDeque<Sample>,
}

/// Speed and force as fractions of the limits of the vehicle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) time: f64,
    pub(crate) speed: f64,
    pub(crate) force: f64,
}

impl History {
    pub(crate) fn samples(&self) -> impl ExactSizeIterator<Item = &Sample> {
        self.samples.iter()
    }

    pub(crate) fn newest(&self) -> Option<&Sample> {
        self.samples.back()
    }

    fn add(&mut self, sample: Sample) {
        if self.newest().is_some_and(|last| sample.time < last.time) {
            // Time went back, as it does in a rollback.
            self.samples.clear();
        }
        if self.newest().is_some_and(|last| sample.time - last.time < STEP * 0.5) {
            return;
        }
        self.samples.push_back(sample);
        while self.samples.front().is_some_and(|first| sample.time - first.time > SPAN) {
            self.samples.pop_front();
        }
    }
}

pub(crate) fn record(
    inspector: Res<Inspector>,
    mut history: ResMut<History>,
    time: Res<Time<Virtual>>,
    agents: Query<(&Vehicle, &Velocity, &SteeringForce)>,
) {
    let wanted = inspector.selected.filter(|_| inspector.is_open);
    if history.agent != wanted {
        *history = History { agent: wanted, ..default() };
    }
    let Some(Ok((vehicle, velocity, force))) = wanted.map(|agent| agents.get(agent)) else {
        return;
    };
    history.add(Sample {
        time: time.elapsed_secs_f64(),
        speed: fraction(velocity.length(), vehicle.max_speed),
        force: fraction(force.linear.length(), vehicle.max_force),
    });
}

fn fraction(value: f32, limit: f32) -> f64 {
    let fraction = f64::from(value) / f64::from(limit);
    if fraction.is_finite() { fraction } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64) -> Sample {
        Sample { time, speed: 0.5, force: 0.1 }
    }

    #[test]
    fn history_keeps_ten_seconds_and_ignores_a_paused_clock() {
        let mut history = History::default();
        for tick in 0..2000 {
            history.add(at(f64::from(tick) / 64.0));
        }
        let first = history.samples().next().unwrap().time;
        let last = history.newest().unwrap().time;
        assert!((last - first - SPAN).abs() < 0.05, "{}", last - first);
        let count = history.samples().len();
        history.add(at(last));
        assert_eq!(history.samples().len(), count);
    }

    #[test]
    fn history_restarts_when_time_goes_back() {
        let mut history = History::default();
        history.add(at(5.0));
        history.add(at(3.0));
        assert_eq!(history.samples().len(), 1);
    }

    #[test]
    fn fractions_of_invalid_limits_are_zero() {
        assert_eq!(fraction(1.0, 0.0), 0.0);
        assert_eq!(fraction(f32::NAN, 1.0), 0.0);
        assert_eq!(fraction(1.0, 2.0), 0.5);
    }
}
