//! Rows of bodies without gaps that are wide enough.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    courses::{Drive, world},
    modes,
};
use crate::common::place;

/// Where an agent is and how it decides.
fn ways() -> Vec<(SteeringPlane, Arbitration, ThinkEvery)> {
    let decides = modes().map(|mode| (SteeringPlane::Xy, mode, ThinkEvery(1))).into_iter();
    let others = [SteeringPlane::Xz, SteeringPlane::Free].map(|plane| (plane, ThinkEvery(1)));
    let others = others.into_iter().chain([(SteeringPlane::Xy, ThinkEvery(3))]);
    decides.chain(others.map(|(plane, think)| (plane, default(), think))).collect()
}

#[test]
fn a_row_without_gaps_is_rounded() {
    for (plane, mode, think) in ways() {
        for (count, size) in [(2, 1.0), (5, 1.0), (13, 1.0), (21, 1.0), (7, 4.0)] {
            for (drive, y) in Drive::ALL.into_iter().zip([0.0, 0.05, -0.3]) {
                let mut sim = world(plane);
                let gap = 1.2 * size;
                let half = 0.5 * gap * (count - 1) as f32;
                for i in 0..count {
                    let stone = place(plane, Vec2::Y * (i as f32 * gap - half));
                    sim.spawn((Obstacle::sphere(0.5 * size), Transform::from_translation(stone)));
                }
                let (from, goal) = (Vec2::new(-10.0 * size, y * size), Vec2::X * 10.0 * size);
                let transform = Transform::from_translation(place(plane, from));
                let body = (Vehicle::new(5.0 * size), AvoidObstacles::default());
                let agent = sim.spawn((body, mode.clone(), think, transform));
                drive.give(&mut sim, agent, place(plane, goal));
                // In free space it may also lead over the row.
                let is_free = plane == SteeringPlane::Free;
                let beside = Vec2::Y * if is_free { 1.1 * size } else { half + size };
                let least = from.distance(beside) + beside.distance(goal);
                let mut nearest = f32::INFINITY;
                let mut way = 0.0;
                let mut before = sim.position(agent);
                // As far as the shortest way is, and half of that, at top speed.
                sim.run_with((1.5 * least / size + 2.0) / 5.0, |world| {
                    let now = world.get::<Transform>(agent).unwrap().translation;
                    if nearest > size {
                        way += now.distance(before);
                    }
                    before = now;
                    nearest = nearest.min(now.distance(place(plane, goal)));
                });
                let case = format!("{plane:?} {mode:?} {think:?} {count} of {size}, {drive:?}");
                assert!(nearest < size, "{case}: {nearest}");
                assert!(way < 1.3 * least, "{case}: {way} and not {least}");
            }
        }
    }
}

#[test]
fn a_row_of_bodies_that_avoid_nobody_is_rounded() {
    let bodies = [(0.3, 2.0), (0.5, 10.0), (1.0, 5.0)];
    let bodies = bodies.map(|(radius, speed)| Vehicle::new(speed).with_radius(radius));
    let bodies = bodies.map(|body| (SteeringPlane::Xy, default(), ThinkEvery(1), body));
    let ways = ways().into_iter();
    let ways = ways.map(|(plane, mode, think)| (plane, mode, think, Vehicle::default()));
    for (plane, mode, think, body) in ways.chain(bodies) {
        for count in [2, 3, 5, 9, 15, 21] {
            for drive in Drive::ALL {
                let mut sim = world(plane);
                let y = |i: usize| (i as f32 - 0.5 * (count - 1) as f32) * 1.2;
                for i in 0..count {
                    let at = Transform::from_translation(place(plane, Vec2::new(0.0, y(i))));
                    sim.spawn((Vehicle::default(), at));
                }
                let (from, to) = (Vec2::new(-10.0, 0.0), Vec2::new(10.0, 0.0));
                let start = Transform::from_translation(place(plane, from));
                let decides = (AvoidAgents::default(), mode.clone(), think);
                let agent = sim.spawn((body, decides, start));
                drive.give(&mut sim, agent, place(plane, to));
                let is_free = plane == SteeringPlane::Free;
                let side = 0.5 + body.radius + if is_free { 0.0 } else { y(count - 1) };
                let least = from.distance(Vec2::Y * side) + to.distance(Vec2::Y * side);
                let (mut nearest, mut gap) = (f32::MAX, f32::MAX);
                let (mut way, mut ticks, mut before) = (0.0, 0.0, sim.position(agent));
                while nearest > 0.5 && ticks < 40.0 * sim.hz {
                    sim.tick();
                    ticks += 1.0;
                    let now = sim.position(agent);
                    let off = |i: usize| now.distance(place(plane, Vec2::new(0.0, y(i))));
                    gap = (0..count).map(|i| off(i) - 0.5 - body.radius).fold(gap, f32::min);
                    nearest = nearest.min(now.distance(place(plane, to)));
                    way += now.distance(before);
                    before = now;
                }
                let time = ticks / sim.hz * body.max_speed / least;
                let case = format!("{plane:?} {mode:?} {think:?} {count} {drive:?}, {body:?}");
                let case = format!("{case}: {nearest} {way} {least} {gap} {time}");
                assert!(nearest < 0.5 && way < 1.5 * least && gap > -0.05 * body.radius, "{case}");
                assert!(time < 1.5, "{case}");
            }
        }
    }
}
