//! Kinematic bodies get the permitted velocity; agents of the game's own integrator nothing.

use avian2d::{dynamics::integrator::CustomPositionIntegration, prelude::*};
use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{at, two, vehicle};

fn body() -> impl Bundle {
    (RigidBody::Kinematic, Collider::circle(0.5))
}

#[test]
fn a_kinematic_agent_moves_as_one_without_a_body() {
    let mut sim = two();
    let goal = Vec2::new(12.0, 3.0);
    sim.spawn((Obstacle::sphere(1.5), at(4.0, 0.5)));
    sim.spawn(Wall::new(Vec2::new(6.0, 4.0), Vec2::new(12.0, 6.0)));
    let agent = || (vehicle(), Arrive::new(goal), AvoidObstacles::default(), AvoidWalls::default());
    let with = sim.spawn((agent(), body(), at(-3.0, 0.0)));
    let without = sim.spawn((agent(), at(-3.0, 0.0)));
    sim.run_with(6.0, |sim| {
        let apart = sim.position(with).distance(sim.position(without));
        assert!(apart < 0.05, "{apart}");
    });
    assert!(sim.position(with).distance(goal.extend(0.0)) < 0.1, "{}", sim.position(with));
}

#[test]
fn a_kinematic_agent_stops_at_what_is_solid_for_it() {
    let mut sim = two();
    sim.spawn((RigidBody::Static, Collider::rectangle(1.0, 40.0), at(5.0, 0.0)));
    let push = sim.spawn((Velocity(Vec3::new(5.0, 2.0, 0.0)), Transform::default()));
    let agent = sim.spawn((vehicle(), MatchVelocity::new(push), AvoidObstacles::default(), body()));
    sim.run_with(4.0, |sim| {
        let x = sim.position(agent).x;
        assert!(x < 4.01, "{x}");
    });
    assert!(sim.position(agent).x > 3.5 && sim.position(agent).y > 2.0);
}

#[test]
fn the_game_may_change_the_velocity_of_a_kinematic_body() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), WhenIdle::Coast, body()));
    sim.run(0.25);
    sim.get_mut::<LinearVelocity>(agent).0 = Vec2::Y * 3.0;
    sim.run(1.0);
    assert!((sim.position(agent).y - 3.0).abs() < 0.1, "{}", sim.position(agent));
    assert!((sim.velocity(agent).y - 3.0).abs() < 1e-3);
}

#[test]
fn nothing_of_an_agent_that_the_game_moves_is_touched() {
    for kind in [RigidBody::Dynamic, RigidBody::Kinematic] {
        let mut sim = two();
        let bundle = (vehicle(), Seek::new(Vec2::X * 90.0), SkipIntegration);
        let agent = sim.spawn((bundle, kind, Collider::circle(0.5)));
        sim.get_mut::<Velocity>(agent).0 = Vec3::Y;
        sim.run(1.0);
        assert_eq!(sim.position(agent), Vec3::ZERO);
        assert_eq!(sim.get::<LinearVelocity>(agent).0, Vec2::ZERO);
        assert_eq!(sim.velocity(agent), Vec3::Y, "the game's own");
        assert!(sim.get::<SteeringForce>(agent).linear.x > 0.0);
        // It is taken over when the game lets go.
        sim.app.world_mut().entity_mut(agent).remove::<SkipIntegration>();
        sim.run(1.0);
        assert!(sim.position(agent).x > 2.0);
    }
}

#[test]
fn without_integration_nothing_is_touched() {
    let mut sim = two();
    sim.app.world_mut().resource_mut::<bevy_steer::SteeringSettings>().integrate = false;
    let agent = sim.spawn((
        vehicle(),
        Seek::new(Vec2::X * 90.0),
        RigidBody::Dynamic,
        Collider::circle(0.5),
    ));
    sim.run(1.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
    assert_eq!(sim.get::<LinearVelocity>(agent).0, Vec2::ZERO);
}

#[test]
fn a_game_that_integrates_positions_gets_the_velocity() {
    let mut sim = two();
    let seek = Seek::new(Vec2::X * 90.0);
    let agent = sim.spawn((vehicle(), seek, body(), CustomPositionIntegration));
    sim.run(1.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
    assert!(sim.get::<LinearVelocity>(agent).x > 4.9);
}
