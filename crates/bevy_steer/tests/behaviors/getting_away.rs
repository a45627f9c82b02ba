//! Flee, Evade.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

#[test]
fn a_fleer_gets_away_until_it_feels_safe() {
    let mut sim = Sim::new();
    let lion = sim.spawn(at(3.0, 4.0));
    let flee = Flee::new(lion).within(20.0);
    let agent = sim.spawn((Vehicle::new(5.0), flee, at(0.0, 0.0)));
    sim.run(1.0);
    assert!(sim.velocity(agent).normalize().dot(Vec3::new(-0.6, -0.8, 0.0)) > 0.999);
    sim.run(5.0);
    assert!(sim.position(agent).distance(Vec3::new(3.0, 4.0, 0.0)) > 20.0);
    assert_eq!(sim.get::<SteeringForce>(agent).linear, Vec3::ZERO, "safe: no more force");
}

#[test]
fn who_stands_on_its_threat_still_gets_away() {
    let mut sim = Sim::new();
    let agents: Vec<_> = (0..8)
        .map(|_| sim.spawn((Vehicle::new(5.0), Flee::new(Vec2::new(1.0, 1.0)), at(1.0, 1.0))))
        .collect();
    sim.run(2.0);
    for agent in agents {
        assert!(sim.position(agent).distance(Vec3::new(1.0, 1.0, 0.0)) > 5.0);
        assert_eq!(sim.position(agent).z, 0.0);
    }
}

#[test]
fn an_evader_runs_from_where_the_hunter_will_be() {
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
fn an_evader_is_calm_while_the_threat_is_far() {
    let mut sim = Sim::new();
    let hunter = sim.spawn((at(30.0, 0.0), Velocity(Vec3::X * -10.0)));
    let agent = sim.spawn((Vehicle::new(5.0), Evade::new(hunter).within(20.0), at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
    sim.app.world_mut().entity_mut(hunter).insert(at(15.0, 0.0));
    sim.run(1.0);
    assert!(sim.position(agent).x < -2.0);
}
