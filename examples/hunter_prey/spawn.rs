//! The agents, obstacles and walls of the arena.

use bevy::{math::ops, prelude::*};
use bevy_steer::{KeepRotation, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::game::{ARENA, Dice, HUNTER, Hunter, LURE, PREY, Prey, RESTING, Setup};

/// The least distance between two bodies at the start, in units.
const CLEARANCE: f32 = 10.0;

/// A random position in the arena, at least `from_edge` units from its edge.
pub(super) fn random_place(dice: &mut Pcg32, from_edge: f32) -> Vec3 {
    let half = ARENA - from_edge;
    let unit = Vec2::new(dice.random::<f32>(), dice.random::<f32>()) * 2.0 - 1.0;
    (unit * half).extend(0.0)
}

fn random_direction(dice: &mut Pcg32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(dice.random::<f32>() * core::f32::consts::TAU);
    Vec3::new(cos, sin, 0.0)
}

/// Fills the arena.
pub(super) fn populate(mut commands: Commands, mut dice: ResMut<Dice>, setup: Res<Setup>) {
    let dice = &mut dice.0;
    let mut taken: Vec<(Vec3, f32)> = Vec::new();
    // In a crowded arena a free place may not be found; then any place is taken. `claim` is the
    // radius that later ones keep clear of.
    let mut free_place = |dice: &mut Pcg32, radius: f32, claim: f32| {
        let is_free = |place: &Vec3| {
            taken.iter().all(|(other, size)| place.distance(*other) > size + radius + CLEARANCE)
        };
        let mut places = (0..50).map(|_| random_place(dice, radius));
        let place = places.find(is_free).unwrap_or_else(|| random_place(dice, radius));
        taken.push((place, claim));
        place
    };
    for _ in 0..setup.options.obstacles {
        let radius = 18.0 + 24.0 * dice.random::<f32>();
        let place = free_place(dice, radius, radius);
        let drift = random_direction(dice) * (12.0 + 16.0 * dice.random::<f32>());
        commands.spawn(obstacle(radius, place, drift));
    }
    for _ in 0..setup.options.hunters {
        let place = free_place(dice, Hunter::RADIUS, Prey::FEAR);
        commands.spawn(hunter(place, random_direction(dice)));
    }
    for _ in 0..setup.options.prey {
        let place = free_place(dice, Prey::RADIUS, Prey::RADIUS);
        commands.spawn(prey(place, random_direction(dice)));
    }
}

/// A hunter with full stamina.
pub fn hunter(place: Vec3, heading: Vec3) -> impl Bundle {
    (
        Hunter { stamina: Hunter::STAMINA },
        HUNTER,
        Vehicle::new(Hunter::STROLL).with_max_force(480.0).with_radius(Hunter::RADIUS),
        Velocity(heading * Hunter::STROLL),
        Pursue::new(Target::nearest(PREY, Hunter::SIGHT)).with_max_prediction(1.0),
        Wander::default(),
        (AvoidObstacles::default(), AvoidWalls::default()),
        AvoidAgents::default().with_layers(HUNTER.or(RESTING)),
        Transform::from_translation(place),
    )
}

/// A prey.
pub fn prey(place: Vec3, heading: Vec3) -> impl Bundle {
    (
        Prey,
        PREY,
        Vehicle::new(Prey::STROLL).with_max_force(520.0).with_radius(Prey::RADIUS),
        Velocity(heading * Prey::STROLL),
        Evade::new(Target::all(HUNTER, Prey::FEAR)).with_max_prediction(1.0),
        Arrive::new(Target::nearest(LURE, Prey::LURED))
            .with_profile(ArriveProfile::SlowRadius(Prey::SLOW))
            .with_stop_radius(Prey::CONTENT),
        Wander::default(),
        (AvoidObstacles::default(), AvoidWalls::default()),
        AvoidAgents::default().with_layers(PREY.or(RESTING)).with_weight(2.0),
        Transform::from_translation(place),
    )
}

/// A drifting obstacle: a vehicle without behaviours that bounces off the arena's edge.
fn obstacle(radius: f32, place: Vec3, drift: Vec3) -> impl Bundle {
    let half = ARENA - radius;
    (
        Obstacle::sphere(radius),
        Vehicle::new(60.0).with_max_force(0.0).with_radius(radius),
        Velocity(drift),
        Bounds::rect(-half, half, BoundsEdge::Bounce),
        SteeringLayers::NONE,
        KeepRotation,
        Transform::from_translation(place),
    )
}

/// Keeps walls along edges that bounce, so that agents steer away from them; none along edges that
/// wrap.
pub fn wall_in(walls: Query<Entity, With<Wall>>, bounds: Res<WorldBounds>, mut commands: Commands) {
    let needs_walls = bounds.edge == BoundsEdge::Bounce;
    if needs_walls != walls.is_empty() {
        return;
    }
    walls.iter().for_each(|wall| commands.entity(wall).despawn());
    if needs_walls {
        let corners =
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|c| ARENA * Vec2::from(c));
        for (i, &corner) in corners.iter().enumerate() {
            commands.spawn(Wall::new(corner, corners[(i + 1) % corners.len()]));
        }
    }
}
