//! Crowds of people: exits, hallways, streams that meet, rooms.
//!
//! The agents have a radius of half a metre and walk at 1.3 m/s. One that has reached its goal
//! leaves the world.

use core::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage, grid};

const CROWD: Scenario = Scenario {
    seconds: 300.0,
    max_speed: 1.3,
    portal: Some(1.0),
    perturbation: 0.05,
    ..Scenario::EMPTY
};

/// Without goals.
const LOOP: Scenario = Scenario { seconds: 60.0, wraps: true, ..CROWD };

/// The scenarios with crowds, in the order of the table.
pub const SCENARIOS: &[Scenario] = &[
    Scenario { name: "100 through a door 1.4 wide", build: |stage| door(stage, 1.4, 10), ..CROWD },
    Scenario { name: "200 through a door 2.4 wide", build: |stage| door(stage, 2.4, 20), ..CROWD },
    Scenario { name: "500 down a hallway to a portal", seconds: 600.0, build: exit, ..CROWD },
    Scenario { name: "4 streams of 100, in the open", build: four_streams, ..CROWD },
    Scenario { name: "4 streams of 100, round a round block", build: round_block, ..CROWD },
    Scenario { name: "4 streams of 100, round a square block", build: square_block, ..CROWD },
    Scenario { name: "a hallway, 100 each way", build: both_ways, ..CROWD },
    Scenario { name: "200 out of an office", build: office, ..CROWD },
    Scenario { name: "1000 through a squeeze", seconds: 600.0, build: squeeze, ..CROWD },
    Scenario { name: "one way, 10 % of the floor", build: |stage| one_way(stage, 0.1), ..LOOP },
    Scenario { name: "one way, 20 % of the floor", build: |stage| one_way(stage, 0.2), ..LOOP },
    Scenario { name: "one way, 30 % of the floor", build: |stage| one_way(stage, 0.3), ..LOOP },
    Scenario { name: "one way, 40 % of the floor", build: |stage| one_way(stage, 0.4), ..LOOP },
];

/// Not in the table: two streams with room for lanes, for a picture of them.
pub const LANES: Scenario = Scenario { name: "a wide hallway, 60 each way", build: lanes, ..CROWD };

fn avoidance() -> impl Bundle {
    (AvoidAgents::default(), AvoidWalls::default())
}

/// A crowd of ten rows before a door, which each passes as near to its row as the body fits.
fn door(stage: &mut Stage, width: f32, columns: usize) {
    for side in [-1.0, 1.0] {
        stage.walls(&[Vec2::new(0.0, 0.5 * width * side), Vec2::new(0.0, 12.0 * side)]);
    }
    let spare = 0.5 * width - 0.6;
    for place in grid(Vec2::X * -(3.0 + 0.7 * columns as f32), columns, 10, 1.4) {
        let lane = place.y.clamp(-spare, spare);
        let goal = Vec2::new(12.0, place.y);
        let path = [place, Vec2::new(-0.6, lane), Vec2::new(0.6, lane), goal];
        stage.path_follower(&path, |follow| follow, avoidance());
    }
}

/// The portal takes up the end of the hallway.
fn exit(stage: &mut Stage) {
    for side in [-1.7, 1.7] {
        stage.walls(&[Vec2::new(-220.0, side), Vec2::new(1.0, side)]);
    }
    for place in grid(Vec2::X * -99.0, 167, 3, 1.12).into_iter().take(500) {
        stage.arriver(place, Vec2::ZERO, avoidance());
    }
}

/// Four crowds at right angles, each on the way to the opposite side.
fn streams(stage: &mut Stage, avoidance: impl Bundle + Clone) {
    for i in 0..4 {
        let heading = Vec2::from_angle(i as f32 * FRAC_PI_2);
        for place in grid(Vec2::X * -25.0, 10, 10, 1.5) {
            let (from, to) = (heading.rotate(place), heading.rotate(place + Vec2::X * 50.0));
            stage.arriver(from, to, avoidance.clone());
        }
    }
}

fn four_streams(stage: &mut Stage) {
    streams(stage, AvoidAgents::default());
}

fn round_block(stage: &mut Stage) {
    stage.obstacle(Vec2::ZERO, 4.0);
    streams(stage, (AvoidAgents::default(), AvoidObstacles::default()));
}

fn square_block(stage: &mut Stage) {
    stage.block(Vec2::ZERO, Vec2::splat(8.0));
    streams(stage, (AvoidAgents::default(), AvoidObstacles::default()));
}

fn both_ways(stage: &mut Stage) {
    for side in [-3.0, 3.0] {
        stage.walls(&[Vec2::new(-60.0, side), Vec2::new(60.0, side)]);
    }
    for side in [-1.0, 1.0] {
        for place in grid(Vec2::X * (side * 25.0), 25, 4, 1.3) {
            stage.arriver(place, place - Vec2::X * (side * 50.0), avoidance());
        }
    }
}

fn lanes(stage: &mut Stage) {
    for side in [-5.0, 5.0] {
        stage.walls(&[Vec2::new(-60.0, side), Vec2::new(60.0, side)]);
    }
    for side in [-1.0, 1.0] {
        // Head-on, so that all of them have to make way.
        for place in grid(Vec2::ZERO, 15, 4, 1.0) {
            let place = place * Vec2::new(2.6, 2.4) + Vec2::X * (side * 20.0);
            stage.arriver(place, place - Vec2::X * (side * 45.0), avoidance());
        }
    }
}

/// Four rooms on each side of a corridor, each with a door in the middle and 25 people; the portal
/// is at the end of the corridor.
fn office(stage: &mut Stage) {
    const ROOM: Vec2 = Vec2::new(10.0, 9.0);
    let portal = Vec2::new(44.0, 0.0);
    stage.walls(&[Vec2::new(0.0, -1.5), Vec2::new(0.0, 1.5)]);
    for side in [-1.0, 1.0] {
        for room in 0..4 {
            let left = ROOM.x * room as f32;
            let (right, door) = (left + ROOM.x, left + 0.5 * ROOM.x);
            let [near, far] = [1.5, 1.5 + ROOM.y].map(|y| y * side);
            let at = |x: f32, y: f32| Vec2::new(x, y);
            stage.walls(&[at(door - 0.8, near), at(left, near), at(left, far), at(right, far)]);
            stage.walls(&[at(right, far), at(right, near), at(door + 0.8, near)]);
            for place in grid(at(door, side * 6.5), 5, 5, 1.4) {
                let inside = at(door, near + side * 0.6);
                let outside = at(door, near - side * 0.6);
                let path = [place, inside, outside, portal];
                stage.path_follower(&path, |follow| follow, avoidance());
            }
        }
    }
    for side in [-1.5, 1.5] {
        stage.walls(&[Vec2::new(40.0, side), Vec2::new(45.0, side)]);
    }
}

/// From a hall 24 m wide through a hallway of 6 m, each in its own lane.
fn squeeze(stage: &mut Stage) {
    for side in [-1.0, 1.0] {
        let corners = [(-90.0, 12.0), (-10.0, 12.0), (0.0, 3.0), (12.0, 3.0)];
        stage.walls(&corners.map(|(x, y)| Vec2::new(x, y * side)));
    }
    for place in grid(Vec2::X * -43.0, 50, 20, 1.15) {
        let lane = place.y * 0.2;
        let path = [place, Vec2::new(0.0, lane), Vec2::new(12.0, lane)];
        stage.path_follower(&path, |follow| follow, avoidance());
    }
}

/// A corridor that goes round a ring; bodies cover this share of its floor.
fn one_way(stage: &mut Stage, share: f32) {
    const LENGTH: f32 = 60.0;
    const WIDTH: f32 = 5.0;
    let half = Vec2::new(0.5 * LENGTH, WIDTH);
    stage.wrap(half);
    for side in [-0.5 * WIDTH, 0.5 * WIDTH] {
        stage.walls(&[Vec2::new(-half.x, side), Vec2::new(half.x, side)]);
    }
    let count = share * LENGTH * WIDTH / (FRAC_PI_4);
    let rows = (count / LENGTH * (WIDTH - 1.0)).sqrt().ceil() as usize;
    let columns = (count / rows as f32).round() as usize;
    let gap = Vec2::new(LENGTH / columns as f32, (WIDTH - 1.2) / (rows - 1) as f32);
    for place in grid(Vec2::ZERO, columns, rows, 1.0) {
        stage.walker(place * gap, Vec2::X, avoidance());
    }
}
