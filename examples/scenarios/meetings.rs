//! Agents that meet each other in open space.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::scenario::{Scenario, Stage, grid};

const OPEN: Scenario = Scenario { seconds: 30.0, ..Scenario::EMPTY };

pub(super) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "two head-on", build: |stage| two_meet(stage, 0.0), ..OPEN },
    Scenario { name: "two nearly head-on", build: |stage| two_meet(stage, 0.4), ..OPEN },
    Scenario { name: "two crossing", build: |stage| streams_cross(stage, 1, 1), ..OPEN },
    Scenario { name: "groups of 4 head-on", build: groups_meet, ..OPEN },
    Scenario {
        name: "groups of 4 head-on, on the ground",
        plane: SteeringPlane::Xz,
        build: groups_meet,
        ..OPEN
    },
    Scenario { name: "streams of 5 crossing", build: |stage| streams_cross(stage, 5, 1), ..OPEN },
    Scenario { name: "4 swap places", build: |stage| ring_swaps(stage, 4, 10.0), ..OPEN },
    Scenario { name: "8 swap places", build: |stage| ring_swaps(stage, 8, 10.0), ..OPEN },
    Scenario {
        name: "8 swap places, in free space",
        plane: SteeringPlane::Free,
        build: |stage| ring_swaps(stage, 8, 10.0),
        ..OPEN
    },
    Scenario { name: "10 swap places", build: |stage| ring_swaps(stage, 10, 10.0), ..OPEN },
    Scenario {
        name: "crowds of 30 crossing",
        seconds: 60.0,
        build: |stage| streams_cross(stage, 6, 5),
        ..OPEN
    },
    Scenario { name: "a walker through 40 idle agents", build: walker_meets_idlers, ..OPEN },
    Scenario {
        name: "40 swap places",
        seconds: 60.0,
        build: |stage| ring_swaps(stage, 40, 20.0),
        ..OPEN
    },
];

fn two_meet(stage: &mut Stage, offset: f32) {
    let (left, right) = (Vec2::new(-15.0, 0.0), Vec2::new(15.0, 0.0));
    let offset = Vec2::Y * offset;
    stage.arriver(left, right, AvoidAgents::default());
    stage.arriver(right + offset, left + offset, AvoidAgents::default());
}

/// Two groups swap places.
fn groups_meet(stage: &mut Stage) {
    for side in [-1.0, 1.0] {
        for place in grid(Vec2::X * 15.0 * side, 2, 2, 2.0) {
            stage.arriver(place, place - Vec2::X * 30.0 * side, AvoidAgents::default());
        }
    }
}

/// Two crowds, one moving forward and one to the left, of `deep` rows and `wide` columns.
fn streams_cross(stage: &mut Stage, deep: usize, wide: usize) {
    let middle = Vec2::X * -(12.0 + deep as f32);
    for place in grid(middle, deep, wide, 2.0) {
        let goal = place - middle * 2.0;
        stage.arriver(place, goal, AvoidAgents::default());
        stage.arriver(place.yx(), goal.yx(), AvoidAgents::default());
    }
}

/// A crowd that stands 1.6 metres apart, every other column shifted to the gaps of the previous
/// one: no gap between the bodies is as wide as a body.
fn walker_meets_idlers(stage: &mut Stage) {
    for (i, place) in grid(Vec2::ZERO, 8, 5, 1.6).into_iter().enumerate() {
        let shift = if i % 2 == 0 { -0.4 } else { 0.4 };
        stage.idler(place + Vec2::Y * shift, AvoidAgents::default());
    }
    stage.arriver(Vec2::X * -15.0, Vec2::X * 15.0, AvoidAgents::default());
}

/// Every agent moves to the opposite side of a ring, so all meet at its centre.
fn ring_swaps(stage: &mut Stage, count: usize, radius: f32) {
    for i in 0..count {
        let angle = core::f32::consts::TAU * i as f32 / count as f32;
        let place = Vec2::from_angle(angle) * radius;
        stage.arriver(place, -place, AvoidAgents::default());
    }
}
