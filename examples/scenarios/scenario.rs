//! [`Scenario`]: who goes where, past what.

use bevy::prelude::*;
use bevy_steer::{Path, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

/// A situation. Lengths are metres: everybody is half a metre in radius and runs 5 metres a second.
#[derive(Debug)]
pub struct Scenario {
    /// What it is called.
    pub name: &'static str,
    /// The space in which the agents steer.
    pub plane: SteeringPlane,
    /// Who has not arrived after so many seconds never will.
    pub seconds: f32,
    /// Puts everybody and everything into the world.
    pub build: fn(&mut Stage),
}

/// The way that an agent has before it.
#[derive(Component, Clone, Copy, Debug)]
pub struct Trip {
    /// Where it ends.
    pub goal: Vec3,
    /// How long it is for somebody alone in the world, in metres.
    pub length: f32,
}

/// A world to build a scenario in. Places are given in two dimensions: forward, and to the left.
pub struct Stage<'w> {
    world: &'w mut World,
    plane: SteeringPlane,
    dice: Option<Pcg32>,
}

/// How far along each axis a start can be shaken, in metres.
const SHAKEN: f32 = 0.25;

impl<'w> Stage<'w> {
    /// With a seed, everybody starts a little off the place where the scenario puts it.
    pub(super) fn new(world: &'w mut World, plane: SteeringPlane, seed: Option<u64>) -> Self {
        Self { world, plane, dice: seed.map(|seed| Pcg32::new(seed, 1)) }
    }

    fn shaken(&mut self) -> Vec3 {
        let Some(dice) = &mut self.dice else { return Vec3::ZERO };
        let mut off = || SHAKEN * dice.random_range(-1.0..1.0);
        let off = Vec3::new(off(), off(), off());
        self.plane.flatten(off)
    }

    fn point(&self, place: Vec2) -> Vec3 {
        let forward = self.plane.forward();
        forward * place.x + self.plane.left(forward) * place.y
    }

    /// An agent that goes straight to a place, with what it takes not to bump into anything.
    pub(super) fn traveller(&mut self, from: Vec2, to: Vec2, avoiding: impl Bundle) {
        let goal = self.point(to);
        let trip = Trip { goal, length: from.distance(to) };
        self.agent(from, trip, (Arrive::new(goal), avoiding));
    }

    /// An agent that takes the way over these places.
    pub(super) fn walker(
        &mut self,
        places: &[Vec2],
        follow: impl FnOnce(PathFollow) -> PathFollow,
        avoiding: impl Bundle,
    ) {
        let path = Path::new(places.iter().map(|&place| self.point(place)));
        let length = places.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        let trip = Trip { goal: self.point(places[places.len() - 1]), length };
        self.agent(places[0], trip, (follow(PathFollow::new(path)), avoiding));
    }

    fn agent(&mut self, from: Vec2, trip: Trip, behaviors: impl Bundle) {
        let start = Transform::from_translation(self.point(from) + self.shaken());
        let start = start.with_rotation(self.plane.rotation(trip.goal.normalize_or(Vec3::X)));
        self.world.spawn((Vehicle::default(), behaviors, trip, start));
    }

    /// A round stone.
    pub(super) fn stone(&mut self, place: Vec2, radius: f32) {
        let place = Transform::from_translation(self.point(place));
        self.world.spawn((Obstacle::sphere(radius), place));
    }

    /// A round stone that rolls on at this velocity.
    pub(super) fn boulder(&mut self, place: Vec2, radius: f32, velocity: Vec2) {
        let place = Transform::from_translation(self.point(place));
        let velocity = self.point(velocity);
        let drifting = Vehicle::new(velocity.length()).with_max_force(0.0).with_radius(radius);
        let rolls = (drifting, Velocity(velocity), SteeringLayers::NONE);
        self.world.spawn((Obstacle::sphere(radius), rolls, place));
    }

    /// Walls from place to place.
    pub(super) fn walls(&mut self, places: &[Vec2]) {
        for leg in places.windows(2) {
            let wall = Wall::new(self.point(leg[0]), self.point(leg[1]));
            self.world.spawn(wall);
        }
    }
}

/// Places in rows and columns that are this far apart, around a middle.
pub(super) fn grid(middle: Vec2, columns: usize, rows: usize, apart: f32) -> Vec<Vec2> {
    let half = Vec2::new(columns as f32 - 1.0, rows as f32 - 1.0) * 0.5;
    let cells = (0..columns * rows).map(|i| Vec2::new((i % columns) as f32, (i / columns) as f32));
    cells.map(|cell| middle + (cell - half) * apart).collect()
}
