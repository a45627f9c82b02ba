//! Agents among obstacles.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage, grid};

const STONY: Scenario = Scenario { seconds: 30.0, ..Scenario::EMPTY };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "an obstacle dead ahead", build: stone, ..STONY },
    Scenario { name: "a boulder crossing the path", build: boulder, ..STONY },
    Scenario { name: "10 through a forest", build: forest, ..STONY },
];

fn avoidance() -> impl Bundle {
    (AvoidAgents::default(), AvoidObstacles::default())
}

fn stone(stage: &mut Stage) {
    stage.obstacle(Vec2::ZERO, 2.0);
    stage.arriver(Vec2::X * -15.0, Vec2::X * 15.0, avoidance());
}

/// Without avoidance, the boulder would hit the agent halfway.
fn boulder(stage: &mut Stage) {
    stage.moving_obstacle(Vec2::new(0.0, -9.0), 1.5, Vec2::new(0.0, 3.0));
    stage.arriver(Vec2::X * -15.0, Vec2::X * 15.0, avoidance());
}

/// Obstacles of several sizes in an irregular grid, with room for two or three agents between them.
fn forest(stage: &mut Stage) {
    for (i, place) in grid(Vec2::ZERO, 5, 5, 4.5).into_iter().enumerate() {
        // Steps of the golden angle give a different direction to each, in no visible order.
        let shifted = place + Vec2::from_angle(i as f32 * 2.4) * 0.8;
        stage.obstacle(shifted, 0.6 + 0.1 * (i % 5) as f32);
    }
    for i in 0..5 {
        let lane = Vec2::Y * 3.0 * (i as f32 - 2.0);
        let ahead = Vec2::X * 16.0;
        stage.arriver(lane - ahead, lane + ahead, avoidance());
        stage.arriver(lane + ahead + Vec2::Y, lane - ahead + Vec2::Y, avoidance());
    }
}
