//! [`Scenario`]: start positions, goals, obstacles and walls.

use bevy::prelude::*;
use bevy_steer::{Path, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

/// A situation. Lengths are metres: agents have a radius of half a metre and a top speed of 5 m/s.
#[derive(Debug)]
pub struct Scenario {
    /// The name in the table.
    pub name: &'static str,
    /// The space that the agents steer in.
    pub plane: SteeringPlane,
    /// The time limit, in simulated seconds.
    pub seconds: f32,
    /// Spawns agents, obstacles and walls.
    pub build: fn(&mut Stage),
}

/// An agent's trip from its start to its goal.
#[derive(Component, Clone, Copy, Debug)]
pub struct Trip {
    /// The goal.
    pub goal: Vec3,
    /// The length of the path without other agents, in metres.
    pub length: f32,
}

/// A world to build a scenario in. Positions are two-dimensional: forward, and to the left.
pub struct Stage<'w> {
    world: &'w mut World,
    plane: SteeringPlane,
    rng: Option<Pcg32>,
}

/// The largest perturbation of a start position along each axis, in metres.
const PERTURBATION: f32 = 0.25;

impl<'w> Stage<'w> {
    /// With a seed, all start positions are perturbed at random.
    pub(super) fn new(world: &'w mut World, plane: SteeringPlane, seed: Option<u64>) -> Self {
        Self { world, plane, rng: seed.map(|seed| Pcg32::new(seed, 1)) }
    }

    fn perturbation(&mut self) -> Vec3 {
        let Some(rng) = &mut self.rng else { return Vec3::ZERO };
        let mut offset = || PERTURBATION * rng.random_range(-1.0..1.0);
        let offset = Vec3::new(offset(), offset(), offset());
        self.plane.flatten(offset)
    }

    fn point(&self, place: Vec2) -> Vec3 {
        let forward = self.plane.forward();
        forward * place.x + self.plane.left(forward) * place.y
    }

    /// An agent with `Arrive` and the given avoidance behaviours.
    pub(super) fn arriver(&mut self, from: Vec2, to: Vec2, avoidance: impl Bundle) {
        let goal = self.point(to);
        let trip = Trip { goal, length: from.distance(to) };
        self.agent(from, trip, (Arrive::new(goal), avoidance));
    }

    /// An agent with `PathFollow` along these places and the given avoidance behaviours.
    pub(super) fn path_follower(
        &mut self,
        places: &[Vec2],
        follow: impl FnOnce(PathFollow) -> PathFollow,
        avoidance: impl Bundle,
    ) {
        let path = Path::new(places.iter().map(|&place| self.point(place)));
        let length = places.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        let trip = Trip { goal: self.point(places[places.len() - 1]), length };
        self.agent(places[0], trip, (follow(PathFollow::new(path)), avoidance));
    }

    fn agent(&mut self, from: Vec2, trip: Trip, behaviors: impl Bundle) {
        let start = Transform::from_translation(self.point(from) + self.perturbation());
        let start = start.with_rotation(self.plane.rotation(trip.goal.normalize_or(Vec3::X)));
        self.world.spawn((Vehicle::default(), behaviors, trip, start));
    }

    /// An agent with the given avoidance behaviours that stands still and has no goal: it counts in
    /// the contacts, but not in arrivals and times.
    pub(super) fn idler(&mut self, place: Vec2, avoidance: impl Bundle) {
        let start = Transform::from_translation(self.point(place) + self.perturbation());
        self.world.spawn((Vehicle::default(), avoidance, start));
    }

    /// A round obstacle.
    pub(super) fn obstacle(&mut self, place: Vec2, radius: f32) {
        let place = Transform::from_translation(self.point(place));
        self.world.spawn((Obstacle::sphere(radius), place));
    }

    /// A round obstacle that moves at a constant velocity.
    pub(super) fn moving_obstacle(&mut self, place: Vec2, radius: f32, velocity: Vec2) {
        let place = Transform::from_translation(self.point(place));
        let velocity = self.point(velocity);
        let vehicle = Vehicle::new(velocity.length()).with_max_force(0.0).with_radius(radius);
        let motion = (vehicle, Velocity(velocity), SteeringLayers::NONE);
        self.world.spawn((Obstacle::sphere(radius), motion, place));
    }

    /// Walls between successive places.
    pub(super) fn walls(&mut self, places: &[Vec2]) {
        for leg in places.windows(2) {
            let wall = Wall::new(self.point(leg[0]), self.point(leg[1]));
            self.world.spawn(wall);
        }
    }
}

/// The points of a grid around a centre, `spacing` apart.
pub(super) fn grid(center: Vec2, columns: usize, rows: usize, spacing: f32) -> Vec<Vec2> {
    let half = Vec2::new(columns as f32 - 1.0, rows as f32 - 1.0) * 0.5;
    let cells = (0..columns * rows).map(|i| Vec2::new((i % columns) as f32, (i / columns) as f32));
    cells.map(|cell| center + (cell - half) * spacing).collect()
}
