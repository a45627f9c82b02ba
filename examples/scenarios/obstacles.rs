//! Agents among obstacles.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage, grid};

const STONY: Scenario =
    Scenario { name: "", plane: SteeringPlane::Xy, seconds: 30.0, build: |_| () };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "a stone dead ahead", build: stone, ..STONY },
    Scenario { name: "a boulder across the way", build: boulder, ..STONY },
    Scenario { name: "10 through a forest", build: forest, ..STONY },
];

fn careful() -> impl Bundle {
    (AvoidAgents::default(), AvoidObstacles::default())
}

fn stone(stage: &mut Stage) {
    stage.stone(Vec2::ZERO, 2.0);
    stage.traveller(Vec2::X * -15.0, Vec2::X * 15.0, careful());
}

/// It would be hit in the middle of its way.
fn boulder(stage: &mut Stage) {
    stage.boulder(Vec2::new(0.0, -9.0), 1.5, Vec2::new(0.0, 3.0));
    stage.traveller(Vec2::X * -15.0, Vec2::X * 15.0, careful());
}

/// Stems of several sizes in a shaken grid, with room for two or three between them.
fn forest(stage: &mut Stage) {
    for (i, place) in grid(Vec2::ZERO, 5, 5, 4.5).into_iter().enumerate() {
        // Steps of the golden angle: another direction for each, in no visible order.
        let shaken = place + Vec2::from_angle(i as f32 * 2.4) * 0.8;
        stage.stone(shaken, 0.6 + 0.1 * (i % 5) as f32);
    }
    for i in 0..5 {
        let aside = Vec2::Y * 3.0 * (i as f32 - 2.0);
        let ahead = Vec2::X * 16.0;
        stage.traveller(aside - ahead, aside + ahead, careful());
        stage.traveller(aside + ahead + Vec2::Y, aside - ahead + Vec2::Y, careful());
    }
}
