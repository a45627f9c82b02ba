//! [`Scenario`]: start positions, goals, obstacles and walls.

use bevy::prelude::*;
use bevy_steer::{Bounds, BoundsEdge, Path, Velocity, WorldBounds, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

/// A situation. Lengths are metres: agents have a radius of half a metre.
#[derive(Debug)]
pub struct Scenario {
    /// The name in the table.
    pub name: &'static str,
    /// The space that the agents steer in.
    pub plane: SteeringPlane,
    /// The time limit, in simulated seconds.
    pub seconds: f32,
    /// The top speed of the agents, in metres a second.
    pub max_speed: f32,
    /// The distance from its goal at which an agent leaves the world, in metres; `None` if it stays
    /// there.
    pub portal: Option<f32>,
    /// Whether the world wraps round.
    pub wraps: bool,
    /// The largest perturbation of a start position along each axis, in metres.
    pub perturbation: f32,
    /// Spawns agents, obstacles and walls.
    pub build: fn(&mut Stage),
}

impl Scenario {
    /// Without a name and without agents, which move at 5 m/s.
    pub(super) const EMPTY: Self = Self {
        name: "",
        plane: SteeringPlane::Xy,
        seconds: 30.0,
        max_speed: 5.0,
        portal: None,
        wraps: false,
        perturbation: 0.25,
        build: |_| (),
    };
}

/// Where an agent goes.
#[derive(Component, Clone, Copy, Debug)]
pub enum Trip {
    /// From its start to a goal.
    To {
        /// The goal.
        goal: Vec3,
        /// The length of the path without other agents, in metres.
        length: f32,
    },
    /// On and on with this velocity, in metres a second.
    Along(Vec3),
}

/// A world to build a scenario in. Positions are two-dimensional: forward, and to the left.
pub struct Stage<'w> {
    world: &'w mut World,
    plane: SteeringPlane,
    max_speed: f32,
    perturbation: f32,
    rng: Option<Pcg32>,
}

impl<'w> Stage<'w> {
    /// With a seed, all start positions are perturbed at random.
    pub(super) fn new(world: &'w mut World, scenario: &Scenario, seed: Option<u64>) -> Self {
        let Scenario { plane, max_speed, perturbation, .. } = *scenario;
        let rng = seed.map(|seed| Pcg32::new(seed, 1));
        Self { world, plane, max_speed, perturbation, rng }
    }

    /// Keeps the agents in a world with these bounds, which wraps round.
    pub(super) fn wrap(&mut self, half: Vec2) {
        self.world.insert_resource(WorldBounds(Bounds::rect(-half, half, BoundsEdge::Wrap)));
    }

    fn perturbation(&mut self) -> Vec3 {
        let Some(rng) = &mut self.rng else { return Vec3::ZERO };
        let mut offset = || self.perturbation * rng.random_range(-1.0..1.0);
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
        let trip = Trip::To { goal, length: from.distance(to) };
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
        let trip = Trip::To { goal: self.point(places[places.len() - 1]), length };
        self.agent(places[0], trip, (follow(PathFollow::new(path)), avoidance));
    }

    /// An agent that walks on and on in a direction, with the given avoidance behaviours.
    pub(super) fn walker(&mut self, from: Vec2, heading: Vec2, avoidance: impl Bundle) {
        let velocity = self.point(heading * self.max_speed);
        let current = self.world.spawn((Velocity(velocity), Transform::default())).id();
        self.agent(from, Trip::Along(velocity), (MatchVelocity::new(current), avoidance));
    }

    fn agent(&mut self, from: Vec2, trip: Trip, behaviors: impl Bundle) {
        let start = Transform::from_translation(self.point(from) + self.perturbation());
        let (Trip::To { goal: ahead, .. } | Trip::Along(ahead)) = trip;
        let start = start.with_rotation(self.plane.rotation(ahead.normalize_or(Vec3::X)));
        let vehicle = Vehicle::new(self.max_speed).with_radius(0.5);
        self.world.spawn((vehicle, behaviors, trip, start));
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

    /// A rectangular obstacle.
    pub(super) fn block(&mut self, place: Vec2, size: Vec2) {
        let place = Transform::from_translation(self.point(place));
        self.world.spawn((Obstacle::rect(size), place));
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
