//! [`History`]: how fast the selected agent was and how hard it was pushed, over the last ten seconds.

use std::collections::VecDeque;

use bevy::{prelude::*, time::Virtual};
use bevy_steer::{SteeringForce, Vehicle, Velocity};

use crate::inspector::Inspector;

/// How far back it goes, in seconds of the world's time.
pub(crate) const SPAN: f64 = 10.0;

/// At most so often is something noted, in seconds.
const STEP: f64 = 1.0 / 60.0;

/// The last ten seconds of one agent.
#[derive(Resource, Debug, Default)]
pub(crate) struct History {
    agent: Option<Entity>,
    moments: VecDeque<Moment>,
}

/// Speed and force as shares of the agent's limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) time: f64,
    pub(crate) speed: f64,
    pub(crate) force: f64,
}

impl History {
    pub(crate) fn moments(&self) -> impl ExactSizeIterator<Item = &Moment> {
        self.moments.iter()
    }

    pub(crate) fn newest(&self) -> Option<&Moment> {
        self.moments.back()
    }

    fn note(&mut self, moment: Moment) {
        if self.newest().is_some_and(|last| moment.time < last.time) {
            // The world has gone back in time, as a rollback does.
            self.moments.clear();
        }
        if self.newest().is_some_and(|last| moment.time - last.time < STEP * 0.5) {
            return;
        }
        self.moments.push_back(moment);
        while self.moments.front().is_some_and(|first| moment.time - first.time > SPAN) {
            self.moments.pop_front();
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
    history.note(Moment {
        time: time.elapsed_secs_f64(),
        speed: share(velocity.length(), vehicle.max_speed),
        force: share(force.linear.length(), vehicle.max_force),
    });
}

fn share(value: f32, limit: f32) -> f64 {
    let share = f64::from(value) / f64::from(limit);
    if share.is_finite() { share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64) -> Moment {
        Moment { time, speed: 0.5, force: 0.1 }
    }

    #[test]
    fn ten_seconds_are_kept_and_standing_time_adds_nothing() {
        let mut history = History::default();
        for tick in 0..2000 {
            history.note(at(f64::from(tick) / 64.0));
        }
        let first = history.moments().next().unwrap().time;
        let last = history.newest().unwrap().time;
        assert!((last - first - SPAN).abs() < 0.05, "{}", last - first);
        let count = history.moments().len();
        history.note(at(last));
        assert_eq!(history.moments().len(), count);
    }

    #[test]
    fn going_back_in_time_begins_anew() {
        let mut history = History::default();
        history.note(at(5.0));
        history.note(at(3.0));
        assert_eq!(history.moments().len(), 1);
    }

    #[test]
    fn shares_of_senseless_limits_are_zero() {
        assert_eq!(share(1.0, 0.0), 0.0);
        assert_eq!(share(f32::NAN, 1.0), 0.0);
        assert_eq!(share(1.0, 2.0), 0.5);
    }
}
