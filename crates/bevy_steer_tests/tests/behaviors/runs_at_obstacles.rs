//! Agents that run straight at an obstacle: they go round it or come to rest, and never recoil.

use bevy::prelude::*;
use bevy_steer::{Heading, Velocity, prelude::*};

use super::modes;
use crate::common::{Sim, at};

/// An agent that sets out at top speed, 12 units before the middle of an obstacle.
#[derive(Clone, Debug)]
struct Run {
    obstacle: Obstacle,
    max_speed: f32,
    /// How far behind the middle of the obstacle its goal is, in units; within it at zero.
    goal: f32,
    /// How far off the line through the middle it starts, in units.
    aside: f32,
    seeks: bool,
    feels_walls: bool,
    think: ThinkEvery,
    mode: Arbitration,
}

/// What it did.
#[derive(Debug, Default)]
struct Track {
    /// When it was at its goal, as a multiple of the time of the straight way at top speed.
    arrived: Option<f32>,
    /// For how many ticks it moved against its first direction, until then.
    backwards: usize,
    /// The most that its velocity and its heading turned in a tick until then, in radians.
    turned: f32,
    /// Its speed in the end, as a share of top speed.
    speed: f32,
}

impl Run {
    fn play(self) -> Track {
        let mut sim = Sim::new();
        sim.spawn(self.obstacle);
        let start = (Velocity(Vec3::X * self.max_speed), at(-12.0, self.aside));
        let agent = sim.spawn((Vehicle::new(self.max_speed), start, self.think, self.mode));
        let mut entity = sim.app.world_mut().entity_mut(agent);
        let goal = Vec3::X * self.goal;
        match (self.seeks, self.feels_walls) {
            (true, true) => entity.insert((Seek::new(goal), AvoidWalls::default())),
            (true, false) => entity.insert((Seek::new(goal), AvoidObstacles::default())),
            (false, true) => entity.insert((Arrive::new(goal), AvoidWalls::default())),
            (false, false) => entity.insert((Arrive::new(goal), AvoidObstacles::default())),
        };
        let mut track = Track::default();
        let [mut velocity, mut heading] = [sim.velocity(agent), sim.heading(agent)];
        let slow = 0.05 * self.max_speed;
        let mut ticks = 0.0;
        sim.run_with(3.0 * 24.0 / self.max_speed, |world| {
            ticks += 1.0;
            let place = world.get::<Transform>(agent).unwrap().translation;
            if track.arrived.is_none() && place.distance(goal) < 0.3 {
                track.arrived = Some(ticks / 64.0 * self.max_speed / (12.0 + self.goal));
            }
            let now = world.get::<Velocity>(agent).unwrap().0;
            track.backwards += usize::from(track.arrived.is_none() && now.x < -slow);
            let ahead = world.get::<Heading>(agent).unwrap().0;
            if track.arrived.is_none() {
                let is_fast = now.length().min(velocity.length()) > slow;
                let turned = if is_fast { now.angle_between(velocity) } else { 0.0 };
                track.turned = track.turned.max(turned).max(ahead.angle_between(heading));
            }
            (velocity, heading) = (now, ahead);
        });
        track.speed = velocity.length() / self.max_speed;
        track
    }
}

#[test]
fn an_agent_that_runs_at_an_obstacle_does_not_recoil() {
    let obstacles = [
        Obstacle::rect(Vec2::new(6.0, 4.0)),
        Obstacle::rect(Vec2::new(4.0, 12.0)),
        Obstacle::sphere(2.0),
    ];
    let modes = modes().map(|mode| (ThinkEvery(1), mode));
    let ways = modes.into_iter().chain([(ThinkEvery(3), Arbitration::default())]);
    for (think, mode) in ways {
        for obstacle in obstacles {
            for (max_speed, aside) in [(5.0, 0.0), (5.0, 0.2), (10.0, 0.0), (10.0, 0.2)] {
                for (goal, seeks, feels_walls) in [
                    (0.0, true, true),
                    (0.0, true, false),
                    (0.0, false, true),
                    (0.0, false, false),
                    (12.0, true, true),
                    (12.0, true, false),
                    (12.0, false, true),
                    (12.0, false, false),
                ] {
                    let mode = mode.clone();
                    let run =
                        Run { obstacle, max_speed, goal, aside, seeks, feels_walls, think, mode };
                    let track = run.clone().play();
                    let case = format!("{run:?}: {track:?}");
                    assert!(track.backwards == 0 && track.turned < 0.5, "{case}");
                    if goal > 0.0 {
                        assert!(track.arrived.is_some_and(|time| time < 1.8), "{case}");
                    } else {
                        assert!(track.speed < 0.02, "{case}");
                    }
                }
            }
        }
    }
}
