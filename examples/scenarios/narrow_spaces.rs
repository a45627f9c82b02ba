//! Agents in narrow spaces between walls.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage, grid};

const NARROW: Scenario = Scenario { seconds: 45.0, ..Scenario::EMPTY };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "8 through a door for one", build: doorway, ..NARROW },
    Scenario { name: "a hallway, 5 each way", build: hallway, ..NARROW },
    Scenario { name: "out of a corner", build: out_of_a_corner, ..NARROW },
    Scenario { name: "along the walls of a corner", build: round_a_corner, ..NARROW },
];

fn avoidance() -> impl Bundle {
    (AvoidAgents::default(), AvoidWalls::default())
}

/// The door is 1.6 body diameters wide.
fn doorway(stage: &mut Stage) {
    for side in [-1.0, 1.0] {
        stage.walls(&[Vec2::new(0.0, 0.8 * side), Vec2::new(0.0, 12.0 * side)]);
    }
    let places = grid(Vec2::new(-8.0, 0.0), 2, 4, 2.0).into_iter();
    for (place, goal) in places.zip(grid(Vec2::new(8.0, 0.0), 2, 4, 3.0)) {
        let path = [place, Vec2::new(-1.5, 0.0), Vec2::new(1.5, 0.0), goal];
        stage.path_follower(&path, |follow| follow, avoidance());
    }
}

/// The hallway is four body diameters wide.
fn hallway(stage: &mut Stage) {
    for side in [-1.0, 1.0] {
        stage.walls(&[Vec2::new(-20.0, 2.0 * side), Vec2::new(20.0, 2.0 * side)]);
    }
    for side in [-1.0, 1.0] {
        for i in 0..5 {
            let place = Vec2::new(side * (9.0 + 1.8 * i as f32), 0.7 * (i as f32 % 2.0 - 0.5));
            stage.arriver(place, place - Vec2::X * (side * 25.2), avoidance());
        }
    }
}

fn corner(stage: &mut Stage) {
    stage.walls(&[Vec2::new(5.0, -5.0), Vec2::new(5.0, 5.0), Vec2::new(-5.0, 5.0)]);
}

/// The goal is behind the agent.
fn out_of_a_corner(stage: &mut Stage) {
    corner(stage);
    stage.arriver(Vec2::splat(4.2), Vec2::new(-10.0, -12.0), avoidance());
}

/// A wall is in the way: the agent has to move along it to its end.
fn round_a_corner(stage: &mut Stage) {
    corner(stage);
    stage.arriver(Vec2::new(-3.0, 2.0), Vec2::new(11.0, -8.0), avoidance());
}
