//! Agents on a path with sharp corners.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage};

const WINDING: Scenario = Scenario { seconds: 40.0, ..Scenario::EMPTY };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "sharp corners, from point to point",
        build: |stage| zigzag(stage, |follow| follow),
        ..WINDING
    },
    Scenario {
        name: "sharp corners, along a corridor",
        build: |stage| zigzag(stage, |follow| follow.along_corridor(1.0, 0.5)),
        ..WINDING
    },
    Scenario {
        name: "sharp corners, from point to point, on the ground",
        plane: SteeringPlane::Xz,
        build: |stage| zigzag(stage, |follow| follow),
        ..WINDING
    },
];

/// A right angle, a sharp one and one that turns nearly back; three agents in a row.
fn zigzag(stage: &mut Stage, follow: fn(PathFollow) -> PathFollow) {
    let corners = [(0.0, 0.0), (12.0, 0.0), (12.0, 10.0), (0.0, 4.0), (14.0, 0.0), (24.0, 0.0)];
    let corners = corners.map(Vec2::from);
    for i in 0..3 {
        let mut path = corners.to_vec();
        path.insert(0, Vec2::X * (-2.0 - 2.0 * i as f32));
        path[6].x -= 2.0 * i as f32;
        stage.path_follower(&path, follow, AvoidAgents::default());
    }
}
