//! Crowds make room for larger agents.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::modes;
use crate::common::{Sim, place};

/// The radius of those in the way, their distance, and how far the walker goes.
const SMALL: f32 = 0.4;
const GAP: f32 = 1.6;
const WAY: f32 = 45.0;

/// How a walker got through.
#[derive(Debug)]
struct Passage {
    /// Its time as a multiple of that along the straight way at top speed.
    time: f32,
    /// The least distance from the body of another one, in units.
    gap: f32,
}

/// Lets a walker go through this many rows of agents, each as deep as `columns`.
fn walk(
    plane: SteeringPlane,
    walker: Vehicle,
    (columns, rows): (usize, usize),
    mut spawn: impl FnMut(&mut Sim, Vec3) -> Entity,
    dress: impl FnOnce(&mut EntityWorldMut),
) -> Passage {
    let mut sim = Sim::in_plane(plane);
    let mut others = Vec::new();
    for i in 0..columns * rows {
        let x = 20.0 + (i % columns) as f32 * GAP;
        let y = ((i / columns) as f32 - 0.5 * (rows - 1) as f32) * GAP;
        others.push(spawn(&mut sim, place(plane, Vec2::new(x, y))));
    }
    let goal = place(plane, Vec2::X * WAY);
    let agent = sim.spawn((walker, AvoidAgents::default(), Arrive::new(goal)));
    dress(&mut sim.app.world_mut().entity_mut(agent));
    let mut passage = Passage { time: f32::INFINITY, gap: f32::INFINITY };
    let ideal = WAY / walker.max_speed;
    for tick in 0..(4.0 * ideal * sim.hz) as usize {
        sim.tick();
        for &other in &others {
            let distance = sim.position(agent).distance(sim.position(other));
            passage.gap = passage.gap.min(distance - walker.radius - SMALL);
        }
        if sim.position(agent).distance(goal) < 0.5_f32.max(0.3 * walker.radius) {
            passage.time = tick as f32 / sim.hz / ideal;
            break;
        }
    }
    passage
}

/// All ways to decide on the ground, and the other spaces.
fn planes_and_modes() -> impl Iterator<Item = (SteeringPlane, Arbitration)> {
    let modes = modes().into_iter().map(|mode| (SteeringPlane::Xy, mode));
    modes.chain([SteeringPlane::Xz, SteeringPlane::Free].map(|plane| (plane, default())))
}

fn idle(sim: &mut Sim, at: Vec3) -> Entity {
    let body = Vehicle::default().with_radius(SMALL);
    sim.spawn((body, AvoidAgents::default(), Transform::from_translation(at)))
}

#[test]
fn a_few_idle_agents_make_room_for_larger_ones() {
    for plane in [SteeringPlane::Xy, SteeringPlane::Xz] {
        for radius in [0.4, 0.6, 0.8, 1.5, 3.0] {
            for speed in [2.5, 5.0, 8.0] {
                let walker = Vehicle::new(speed).with_radius(radius);
                let passage = walk(plane, walker, (2, 2), idle, |_| ());
                let case = format!("{plane:?} {radius} {speed}: {passage:?}");
                assert!(passage.time < 1.5 && passage.gap > 0.0, "{case}");
            }
        }
    }
}

#[test]
fn they_do_so_however_the_walker_decides() {
    for radius in [0.8, 3.0] {
        for mode in modes() {
            let walker = Vehicle::default().with_radius(radius);
            let dress = |agent: &mut EntityWorldMut| _ = agent.insert(mode.clone());
            let passage = walk(SteeringPlane::Xy, walker, (2, 2), idle, dress);
            assert!(passage.time < 1.5 && passage.gap > 0.0, "{radius} {mode:?}: {passage:?}");
        }
        for every in [2, 4] {
            let walker = Vehicle::default().with_radius(radius);
            let seldom = |sim: &mut Sim, at: Vec3| {
                let agent = idle(sim, at);
                sim.app.world_mut().entity_mut(agent).insert(ThinkEvery(every));
                agent
            };
            let dress = |agent: &mut EntityWorldMut| _ = agent.insert(ThinkEvery(every));
            let passage = walk(SteeringPlane::Xy, walker, (2, 2), seldom, dress);
            assert!(passage.time < 1.5 && passage.gap > 0.0, "{radius} {every}: {passage:?}");
        }
    }
}

#[test]
fn a_crowd_at_rest_makes_room_for_larger_ones() {
    for (plane, mode) in planes_and_modes() {
        for radius in [0.6, 0.8, 1.5, 3.0] {
            let walker = Vehicle::default().with_radius(radius);
            let dress = |agent: &mut EntityWorldMut| _ = agent.insert(mode.clone());
            let passage = walk(plane, walker, (6, 10), idle, dress);
            let case = format!("{plane:?} {mode:?} {radius}: {passage:?}");
            assert!(passage.time < 1.5 && passage.gap > 0.0, "{case}");
        }
    }
}

#[test]
fn a_crowd_that_comes_towards_them_makes_room_for_larger_ones() {
    for (plane, mode) in planes_and_modes() {
        for radius in [0.6, 0.8, 1.5, 3.0] {
            let walker = Vehicle::default().with_radius(radius);
            let oncoming = |sim: &mut Sim, at: Vec3| {
                let goal = Arrive::new(at - place(plane, Vec2::X * WAY));
                let agent = idle(sim, at);
                sim.app.world_mut().entity_mut(agent).insert((goal, mode.clone()));
                agent
            };
            let dress = |agent: &mut EntityWorldMut| _ = agent.insert(mode.clone());
            let passage = walk(plane, walker, (6, 10), oncoming, dress);
            let case = format!("{plane:?} {mode:?} {radius}: {passage:?}");
            assert!(passage.time < 2.0 && passage.gap > 0.0, "{case}");
        }
    }
}
