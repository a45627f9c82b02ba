//! Agents that run straight at an obstacle: they go round it or come to rest, and never recoil.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::modes;
use crate::common::{Sim, block, place};

/// An agent that sets out at top speed, 12 units before the middle of an obstacle.
#[derive(Clone, Debug)]
struct Run {
    plane: SteeringPlane,
    obstacle: Obstacle,
    max_speed: f32,
    radius: f32,
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
        let mut sim = Sim::in_plane(self.plane);
        sim.spawn(self.obstacle);
        let forward = self.plane.forward();
        let start = place(self.plane, Vec2::new(-12.0, self.aside));
        let start = (Velocity(forward * self.max_speed), Transform::from_translation(start));
        let body = Vehicle::new(self.max_speed).with_radius(self.radius);
        let agent = sim.spawn((body, start, self.think, self.mode));
        let mut entity = sim.app.world_mut().entity_mut(agent);
        let goal = forward * self.goal;
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
        let mut at_rest = 0.0;
        while ticks < 64.0 * 3.0 * 24.0 / self.max_speed && at_rest < 64.0 {
            sim.tick();
            ticks += 1.0;
            if sim.position(agent).distance(goal) < 0.3_f32.max(0.3 * self.radius) {
                track.arrived = Some(ticks / 64.0 * self.max_speed / (12.0 + self.goal));
                break;
            }
            let [now, ahead] = [sim.velocity(agent), sim.heading(agent)];
            track.backwards += usize::from(now.dot(forward) < -slow);
            let is_fast = now.length().min(velocity.length()) > slow;
            let turned = if is_fast { now.angle_between(velocity) } else { 0.0 };
            track.turned = track.turned.max(turned).max(ahead.angle_between(heading));
            at_rest = if now.length() < 0.02 * self.max_speed { at_rest + 1.0 } else { 0.0 };
            (velocity, heading) = (now, ahead);
        }
        track.speed = velocity.length() / self.max_speed;
        track
    }
}

#[test]
fn an_agent_that_runs_at_an_obstacle_does_not_recoil() {
    let usual = Run {
        plane: SteeringPlane::Xy,
        obstacle: Obstacle::sphere(2.0),
        max_speed: 5.0,
        radius: 0.5,
        goal: 0.0,
        aside: 0.0,
        seeks: true,
        feels_walls: false,
        think: ThinkEvery(1),
        mode: default(),
    };
    let mut ways = vec![];
    ways.extend(modes().map(|mode| Run { mode, ..usual.clone() }));
    ways.push(Run { think: ThinkEvery(3), ..usual.clone() });
    for plane in [SteeringPlane::Xz, SteeringPlane::Free] {
        ways.push(Run { plane, ..usual.clone() });
    }
    ways.extend([0.2, 1.0].map(|radius| Run { radius, ..usual.clone() }));
    for way in ways {
        let rects = [Vec2::new(6.0, 4.0), Vec2::new(4.0, 12.0)].map(|it| block(way.plane, it));
        let [small, disc, large] = [0.7, 2.0, 5.0].map(Obstacle::sphere);
        let is_usual = way.mode == default() && way.think == ThinkEvery(1);
        let others = if is_usual { vec![small, large] } else { vec![] };
        let is_default = is_usual && way.plane == SteeringPlane::Xy && way.radius == 0.5;
        for obstacle in rects.into_iter().chain([disc]).chain(others) {
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
                    // Other planes and sizes in a half of the cases.
                    if is_usual
                        && !is_default
                        && (feels_walls || (max_speed == 5.0) == (aside == 0.0))
                    {
                        continue;
                    }
                    let run = Run { obstacle, aside, goal, seeks, feels_walls, ..way.clone() };
                    let run = Run { max_speed, radius: way.radius * max_speed / 5.0, ..run };
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
