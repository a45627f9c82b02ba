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
    /// How far its body was from the nearest one when the first one moved, in units.
    first: Option<f32>,
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
    let mut passage = Passage { time: f32::INFINITY, gap: f32::INFINITY, first: None };
    let ideal = WAY / walker.max_speed;
    for tick in 0..(4.0 * ideal * sim.hz) as usize {
        sim.tick();
        let here = sim.position(agent);
        let off = |other| here.distance(sim.position(other)) - walker.radius - SMALL;
        let near = others.iter().map(|&other| off(other)).fold(f32::INFINITY, f32::min);
        passage.gap = passage.gap.min(near);
        let slow = 0.01 * Vehicle::default().max_speed;
        if others.iter().any(|&other| sim.velocity(other).length() > slow) {
            passage.first.get_or_insert(near);
        }
        if sim.position(agent).distance(goal) < 0.5_f32.max(0.3 * walker.radius) {
            passage.time = tick as f32 / sim.hz / ideal;
            break;
        }
    }
    passage
}

/// Where agents are and how they decide, and how fast the walker is.
#[derive(Clone, Debug)]
struct Way {
    plane: SteeringPlane,
    mode: Arbitration,
    think: ThinkEvery,
    speed: f32,
}

/// Each mode, the other planes, other speeds, and agents that decide seldom.
fn ways() -> Vec<Way> {
    let usual = Way { plane: SteeringPlane::Xy, mode: default(), think: ThinkEvery(1), speed: 5.0 };
    let modes = modes().map(|mode| Way { mode, ..usual.clone() });
    let planes =
        [SteeringPlane::Xz, SteeringPlane::Free].map(|plane| Way { plane, ..usual.clone() });
    let speeds = [2.5, 8.0].map(|speed| Way { speed, ..usual.clone() });
    let seldom = Way { think: ThinkEvery(3), ..usual };
    modes.into_iter().chain(planes).chain(speeds).chain([seldom]).collect()
}

fn idle(sim: &mut Sim, at: Vec3) -> Entity {
    let body = Vehicle::default().with_radius(SMALL);
    sim.spawn((body, AvoidAgents::default(), Transform::from_translation(at)))
}

#[test]
fn a_few_idle_agents_make_room_for_larger_ones() {
    for plane in SteeringPlane::ALL {
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

/// Lets a walker go through this many rows of agents, which have a goal or none.
fn walk_in(way: &Way, radius: f32, size: (usize, usize), goal: Option<Vec2>) -> Passage {
    let decides = (way.mode.clone(), way.think);
    let other = |sim: &mut Sim, at: Vec3| {
        let agent = idle(sim, at);
        let mut entity = sim.app.world_mut().entity_mut(agent);
        entity.insert(decides.clone());
        if let Some(goal) = goal {
            entity.insert(Arrive::new(at + place(way.plane, goal)));
        }
        agent
    };
    let dress = |agent: &mut EntityWorldMut| _ = agent.insert(decides.clone());
    walk(way.plane, Vehicle::new(way.speed).with_radius(radius), size, other, dress)
}

#[test]
fn they_make_room_earlier_for_larger_ones() {
    for way in ways() {
        let mut before = 0.0;
        for radius in [0.4, 0.8, 1.5, 3.0] {
            let passage = walk_in(&way, radius, (2, 2), None);
            let first = passage.first.unwrap_or_default();
            let case = format!("{way:?} {radius}: {passage:?}, {before} for a smaller one");
            assert!(first > before, "{case}");
            before = first;
        }
    }
}

#[test]
fn a_crowd_at_rest_makes_room_for_larger_ones() {
    for way in ways() {
        for radius in [0.6, 0.8, 1.5, 3.0] {
            let passage = walk_in(&way, radius, (6, 10), None);
            let case = format!("{way:?} {radius}: {passage:?}");
            assert!(passage.time < 1.5 && passage.gap > 0.0, "{case}");
        }
    }
}

#[test]
fn a_crowd_that_comes_towards_them_makes_room_for_larger_ones() {
    for way in ways() {
        for radius in [0.6, 0.8, 1.5, 3.0] {
            let passage = walk_in(&way, radius, (6, 10), Some(Vec2::X * -WAY));
            let case = format!("{way:?} {radius}: {passage:?}");
            assert!(passage.time < 2.0 && passage.gap > 0.0, "{case}");
        }
    }
}
