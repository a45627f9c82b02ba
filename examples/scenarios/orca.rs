//! The agents of a scenario moved by ORCA instead of by steering: what the library `dodgy_2d` makes
//! of the same starts, goals, speeds and sizes.
//!
//! A module of the example and of its test, not of the library that they share, so that `dodgy_2d`
//! stays a development dependency.

use std::borrow::Cow;

use bevy::prelude::*;
use bevy_steer::{
    ObstacleShape, PathStyle, Velocity,
    formulas::{ArriveLimits, arrive},
    prelude::*,
};
use bevy_steer_examples::scenarios::{
    headless::play_perturbed, outcome::Outcome, scenario::Scenario, scenario::Trip,
};
use dodgy_2d::{Agent as Body, AvoidanceOptions, Obstacle as Surface, Vec2 as Flat};

/// How far ahead agents look at each other and at walls, in seconds: as far as `AvoidAgents`.
const HORIZON: f32 = 1.5;
/// The noise of preferred velocities as a fraction of the top speed, as in the examples of RVO2:
/// ORCA alone does not decide on which side to pass an agent that is exactly ahead.
const NOISE: f32 = 0.01;

/// Plays a scenario with ORCA; `None` in free space and in a world that wraps round, which
/// `dodgy_2d` does not know.
pub(crate) fn play(scenario: &Scenario, perturbed: u64) -> Option<Outcome> {
    let is_known = scenario.plane.is_planar() && !scenario.wraps;
    is_known.then(|| play_perturbed(scenario, move_agents, perturbed))
}

fn move_agents(app: &mut App, plane: SteeringPlane) {
    app.add_systems(FixedUpdate, (move || plane).pipe(step).in_set(RunSteering));
}

type Moved<'w> = (
    &'w mut Transform,
    &'w mut Velocity,
    &'w Vehicle,
    Option<&'w Trip>,
    Option<&'w mut PathFollow>,
    Has<Obstacle>,
);

/// All agents choose their velocities, then all adopt them and move.
fn step(
    In(plane): In<SteeringPlane>,
    time: Res<Time>,
    mut agents: Query<Moved>,
    stones: Query<(&Transform, &Obstacle), Without<Vehicle>>,
    walls: Query<&Wall>,
) {
    let dt = time.delta_secs();
    if dt == 0.0 {
        return;
    }
    let forward = plane.forward();
    let left = plane.left(forward);
    let flat = |v: Vec3| Flat::new(v.dot(forward), v.dot(left));
    let body = |at: Vec3, velocity: Vec3, radius, avoidance_responsibility| Body {
        position: flat(at),
        velocity: flat(velocity),
        radius,
        avoidance_responsibility,
    };
    let mut bodies: Vec<Body> = agents
        .iter()
        .map(|(place, velocity, vehicle, _, _, is_obstacle)| {
            let share = if is_obstacle { 0.0 } else { 1.0 };
            body(place.translation, velocity.0, vehicle.radius, share)
        })
        .collect();
    bodies.extend(stones.iter().filter_map(|(place, obstacle)| match obstacle.shape {
        ObstacleShape::Sphere { radius } => Some(body(place.translation, Vec3::ZERO, radius, 0.0)),
        _ => None,
    }));
    // From both sides.
    let walls = walls.iter().map(|wall| {
        Cow::Owned(Surface::Closed { vertices: wall.ends(SteeringPlane::Xy).map(flat).to_vec() })
    });
    // The inside of a box is to the left of its sides.
    let boxes = stones.iter().filter_map(|(place, obstacle)| match obstacle.shape {
        ObstacleShape::Box { half_size } => {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let (center, half) = (flat(place.translation), flat(half_size));
            let corner = |(x, y)| Flat::new(center.x + x * half.x, center.y + y * half.y);
            Some(Cow::Owned(Surface::Closed { vertices: corners.map(corner).to_vec() }))
        }
        _ => None,
    });
    let walls: Vec<_> = walls.chain(boxes).collect();
    for (i, (mut place, mut velocity, vehicle, trip, follow, is_obstacle)) in
        agents.iter_mut().enumerate()
    {
        if !is_obstacle {
            let own = &bodies[i];
            let is_near = |other: &Body| {
                let reach = own.radius + other.radius + 2.0 * HORIZON * vehicle.max_speed;
                own.position.distance_squared(other.position) < reach * reach
            };
            let others = bodies.iter().enumerate().filter(|&(j, other)| j != i && is_near(other));
            let others: Vec<_> = others.map(|(_, other)| Cow::Borrowed(other)).collect();
            let options = AvoidanceOptions {
                obstacle_margin: own.radius,
                time_horizon: HORIZON,
                obstacle_time_horizon: HORIZON,
            };
            let wish = wished_velocity(place.translation, vehicle, trip, follow);
            // Steps of the golden angle give a different direction to each.
            let noise = Flat::from_angle(i as f32 * 2.4 + 1.0) * (NOISE * vehicle.max_speed);
            let chosen = own.compute_avoiding_velocity(
                &others,
                &walls,
                flat(wish) + noise,
                vehicle.max_speed,
                dt,
                &options,
            );
            velocity.0 = forward * chosen.x + left * chosen.y;
        }
        place.translation += velocity.0 * dt;
    }
}

/// Towards the goal or the next point of the path, as fast as `Arrive` and `PathFollow` would; zero
/// for an agent without a goal.
fn wished_velocity(
    at: Vec3,
    vehicle: &Vehicle,
    trip: Option<&Trip>,
    follow: Option<Mut<PathFollow>>,
) -> Vec3 {
    let mut goal = match trip {
        Some(Trip::To { goal, .. }) => *goal,
        Some(Trip::Along(velocity)) => return *velocity,
        None => return Vec3::ZERO,
    };
    let mut profile = ArriveProfile::NORMAL;
    if let Some(mut follow) = follow {
        let reached = match follow.style {
            PathStyle::Waypoints { radius } | PathStyle::Corridor { radius, .. } => {
                radius.in_units(vehicle)
            }
        };
        let last = follow.path.len() - 1;
        while follow.progress.next < last
            && at.distance(follow.path.points()[follow.progress.next]) <= reached
        {
            follow.progress.next += 1;
        }
        if follow.progress.next < last {
            goal = follow.path.points()[follow.progress.next];
            profile = ArriveProfile::Deceleration(0.0);
        }
    }
    let limits = ArriveLimits {
        max_speed: vehicle.max_speed,
        max_acceleration: vehicle.max_acceleration(),
        stop_radius: 0.0,
    };
    arrive(at, Vec3::ZERO, goal, profile, limits)
}
