//! `Evade`.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

#[test]
fn evade_runs_from_the_predicted_position() {
    let mut sim = Sim::new();
    // The hunter passes on the right and runs up; its future is at the upper right.
    let hunter = sim.spawn((at(5.0, -5.0), Velocity(Vec3::Y * 10.0)));
    let evade = Evade::new(hunter).with_prediction(Prediction::Distance);
    let agent = sim.spawn((Vehicle::new(5.0), evade, at(0.0, 0.0)));
    sim.run(0.2);
    let direction = sim.velocity(agent).normalize();
    assert!(direction.y < -0.5, "fleeing would run up: {direction}");
}

#[test]
fn evade_ignores_distant_threats() {
    let mut sim = Sim::new();
    let hunter = sim.spawn((at(30.0, 0.0), Velocity(Vec3::X * -10.0)));
    let agent = sim.spawn((Vehicle::new(5.0), Evade::new(hunter).within(20.0), at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
    sim.app.world_mut().entity_mut(hunter).insert(at(15.0, 0.0));
    sim.run(1.0);
    assert!(sim.position(agent).x < -2.0);
}
