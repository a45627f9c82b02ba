//! Idle agents step aside for those that pass, and come back to their place.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::modes;
use crate::common::{Sim, place};

/// Walkers that pass an idle agent, one after the other.
#[derive(Clone, Debug)]
struct Passing {
    plane: SteeringPlane,
    mode: Arbitration,
    think: ThinkEvery,
    /// Of the idle agent.
    idle: f32,
    /// How many walkers there are.
    count: usize,
    /// Between one and the next, in units.
    gap: f32,
    /// Of each walker.
    radius: f32,
    /// Of each walker.
    speed: f32,
    /// How far off its place they pass, in units.
    aside: f32,
    /// How far away the first one begins.
    first: f32,
    /// With what speed the idle agent is still coming to rest.
    creep: f32,
}

impl Default for Passing {
    fn default() -> Self {
        Self {
            plane: SteeringPlane::Xy,
            mode: default(),
            think: default(),
            idle: 0.5,
            count: 1,
            gap: 3.0,
            radius: 0.5,
            speed: 5.0,
            aside: 0.0,
            first: 12.0,
            creep: 0.0,
        }
    }
}

/// What came of it, in units.
#[derive(Debug)]
struct Passed {
    /// How far the idle agent gets off its place, and where it ends.
    far: f32,
    end: f32,
    /// The least distance between its body and that of a walker.
    gap: f32,
    /// How far the walkers are from their goals in the end.
    left: f32,
}

impl Passing {
    fn play(&self) -> Passed {
        let (plane, behind) = (self.plane, |i: usize| self.gap * i as f32);
        let on = |along: f32| place(plane, Vec2::new(along, self.aside));
        let mut sim = Sim::in_plane(plane);
        let decides = (self.mode.clone(), self.think, AvoidAgents::default());
        let velocity = Velocity(place(plane, Vec2::Y * self.creep));
        let body = Vehicle::default().with_radius(self.idle);
        let idle = sim.spawn((body, decides.clone(), velocity));
        let past = self.first + behind(self.count);
        let goals: Vec<Vec3> = (0..self.count).map(|i| on(past - behind(i))).collect();
        let spawn = |(i, &goal): (usize, &Vec3)| {
            let body = Vehicle::new(self.speed).with_radius(self.radius);
            let start = Transform::from_translation(on(-self.first - behind(i)));
            sim.spawn((body, decides.clone(), Arrive::new(goal), start))
        };
        let walkers: Vec<Entity> = goals.iter().enumerate().map(spawn).collect();
        let mut passed = Passed { far: 0.0, end: 0.0, gap: f32::MAX, left: 0.0 };
        let seconds = (2.0 * self.first + behind(self.count)) / self.speed + 6.0;
        sim.run_with(seconds, |world| {
            let position = |agent| world.get::<Transform>(agent).unwrap().translation;
            let own = position(idle);
            passed.far = passed.far.max(own.length());
            for &walker in &walkers {
                let gap = own.distance(position(walker)) - self.idle - self.radius;
                passed.gap = passed.gap.min(gap);
            }
        });
        passed.end = sim.position(idle).length();
        for (&walker, goal) in walkers.iter().zip(goals) {
            passed.left = passed.left.max(sim.position(walker).distance(goal));
        }
        passed
    }

    /// These walkers in each plane, and on the ground with each mode and at other speeds.
    fn ways(&self, speeds: &[f32]) -> Vec<Self> {
        let planes = SteeringPlane::ALL.map(|plane| Self { plane, ..self.clone() });
        let modes = modes().map(|mode| Self { mode, ..self.clone() });
        let speeds = speeds.iter().map(|&speed| Self { speed, ..self.clone() });
        let seldom = Self { think: ThinkEvery(3), ..self.clone() };
        planes.into_iter().chain(modes.into_iter().skip(1)).chain(speeds).chain([seldom]).collect()
    }
}

/// How fast the walkers may be.
const SPEEDS: [f32; 5] = [1.0, 2.5, 8.0, 10.0, 20.0];

#[test]
fn an_idle_agent_steps_aside_for_those_that_pass_and_comes_back() {
    for (aside, radius, idle) in [
        (0.0, 0.5, 0.5),
        (0.2, 0.5, 0.5),
        (-0.6, 0.5, 0.5),
        (0.1, 0.3, 0.5),
        (0.1, 0.3, 0.3),
        (0.2, 0.6, 1.0),
        (-0.1, 1.0, 1.0),
    ] {
        for passing in (Passing { aside, radius, idle, ..default() }).ways(&SPEEDS) {
            let passed = passing.play();
            let what = format!("{passing:?}: {passed:?}");
            assert!(passed.far < 2.0 * idle && passed.gap > 0.0, "{what}");
            assert!(passed.end < 0.1 * idle && passed.left < 0.4 * radius, "{what}");
        }
    }
}

#[test]
fn an_idle_agent_is_not_carried_off_by_a_stream() {
    let stream = Passing { count: 10, ..default() };
    for stream in [
        Passing { aside: 0.3, ..stream.clone() },
        Passing { radius: 0.3, gap: 2.0, ..stream.clone() },
        // One that has only just come to rest is at its place too.
        Passing { aside: 0.3, gap: 2.0, first: 4.0, creep: 0.05, ..stream.clone() },
        Passing { gap: 2.0, first: 3.0, creep: 0.09, ..stream.clone() },
        // Those that come straight at it, close behind each other.
        Passing { gap: 2.0, ..stream.clone() },
        Passing { gap: 4.0, ..stream },
    ] {
        for passing in stream.ways(&SPEEDS) {
            let passed = passing.play();
            let what = format!("{passing:?}: {passed:?}");
            assert!(passed.far < 1.0 && passed.gap > 0.0, "{what}");
            assert!(passed.end < 0.05 && passed.left < 0.2, "{what}");
        }
    }
}

#[test]
fn an_idle_agent_gets_out_of_the_way_of_larger_ones() {
    for (count, radius, gap) in [
        (1, 0.8, 0.0),
        (1, 1.5, 0.0),
        (1, 3.0, 0.0),
        (10, 0.8, 3.2),
        (10, 1.0, 3.0),
        (10, 1.5, 6.0),
        (10, 3.0, 12.0),
    ] {
        for aside in [0.0, 0.3, -1.0] {
            for passing in (Passing { radius, gap, aside, count, ..default() }).ways(&SPEEDS) {
                let passed = passing.play();
                let what = format!("{passing:?}: {passed:?}");
                assert!(passed.gap > 0.0 && passed.left < 0.4 * radius, "{what}");
                // Two radii of the larger one.
                assert!(passed.far < 2.0 * radius && passed.end < 0.05, "{what}");
            }
        }
    }
}

#[test]
fn one_that_the_game_moves_while_it_steps_aside_has_another_place() {
    for plane in SteeringPlane::ALL {
        // While it steps aside, and while it comes back.
        for (when, far) in [(2.0, 3.0), (2.3, 3.0), (2.6, 1.5), (2.8, -1.0), (3.0, 0.7), (3.2, 0.3)]
        {
            for think in [1, 3].map(ThinkEvery) {
                let mut sim = Sim::in_plane(plane);
                let idle = sim.spawn((Vehicle::default(), AvoidAgents::default(), think));
                let [start, goal] = [-12.0, 40.0].map(|x| place(plane, Vec2::new(x, 0.1)));
                let start = Transform::from_translation(start);
                sim.spawn((Vehicle::default(), AvoidAgents::default(), Seek::new(goal), start));
                sim.run(when);
                let before = sim.position(idle);
                assert!(before.length() > 0.1, "{before} is a test of nothing");
                let there = before + place(plane, Vec2::Y * far);
                sim.get_mut::<Transform>(idle).translation = there;
                sim.run(4.0);
                let end = sim.position(idle).distance(there);
                assert!(end < 0.05, "{plane:?} {when} {think:?}: {end}");
            }
        }
    }
}
