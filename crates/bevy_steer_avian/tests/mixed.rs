//! Worlds with agents of all kinds.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_avian::{dim2, dim3};

use crate::common::{Sim, at, two, vehicle};

#[test]
fn agents_with_and_without_bodies_avoid_each_other() {
    let mut sim = two();
    let bodies = [Some(RigidBody::Dynamic), Some(RigidBody::Kinematic), None, None];
    let mut agents = Vec::new();
    for (i, body) in bodies.into_iter().enumerate() {
        let from = Vec2::from_angle(core::f32::consts::FRAC_PI_2 * i as f32 + 0.05) * 8.0;
        let behaviors = (Arrive::new(-from), AvoidAgents::default());
        let agent = sim.spawn((vehicle(), behaviors, at(from.x, from.y)));
        if let Some(body) = body {
            sim.app.world_mut().entity_mut(agent).insert((body, Collider::circle(0.5)));
        }
        agents.push((agent, -from));
    }
    let mut nearest = f32::INFINITY;
    sim.run_with(12.0, |sim| {
        for (i, (one, _)) in agents.iter().enumerate() {
            for (other, _) in &agents[i + 1..] {
                nearest = nearest.min(sim.position(*one).distance(sim.position(*other)));
            }
        }
    });
    assert!(nearest > 0.98, "{nearest}");
    for (agent, goal) in agents {
        let off = sim.position(agent).distance(goal.extend(0.0));
        assert!(off < 0.5, "{off}");
    }
}

#[test]
fn an_agent_with_a_static_body_is_moved_by_steering() {
    let mut sim = two();
    let agent = sim.spawn((
        (vehicle(), Seek::new(Vec2::X * 90.0)),
        (RigidBody::Static, Collider::circle(0.5)),
    ));
    sim.run(2.0);
    assert!(sim.position(agent).x > 5.0);
}

#[test]
fn a_body_may_come_and_go() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0)));
    sim.run(1.0);
    let before = sim.velocity(agent);
    sim.app.world_mut().entity_mut(agent).insert((RigidBody::Dynamic, Collider::circle(0.5)));
    sim.run(1.0);
    assert!(sim.get::<LinearVelocity>(agent).x > before.x - 0.5, "it keeps its velocity");
    let x = sim.position(agent).x;
    assert!(x > 8.0, "{x}");
    sim.app.world_mut().entity_mut(agent).insert(RigidBody::Kinematic);
    sim.run(1.0);
    assert!(sim.position(agent).x > x + 4.5);
    sim.app.world_mut().entity_mut(agent).remove::<(RigidBody, Collider)>();
    sim.run(1.0);
    assert!(sim.position(agent).x > x + 9.0);
    sim.app.world_mut().despawn(agent);
    sim.tick();
}

#[test]
fn an_agent_brings_its_velocity_along_to_a_body_that_was_gone_or_static() {
    for gone in [true, false] {
        let mut sim = two();
        let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0)));
        sim.app.world_mut().entity_mut(agent).insert((RigidBody::Dynamic, Collider::circle(0.5)));
        sim.run(1.0);
        let mut world = sim.app.world_mut().entity_mut(agent);
        if gone {
            world.remove::<(RigidBody, Collider)>();
        } else {
            world.insert(RigidBody::Static);
        }
        world.insert(Seek::new(Vec2::new(0.0, 90.0)));
        sim.run(1.0);
        let before = sim.velocity(agent);
        assert!(before.y > 4.0, "{before}");
        sim.app.world_mut().entity_mut(agent).insert((RigidBody::Dynamic, Collider::circle(0.5)));
        sim.tick();
        sim.tick();
        let after = sim.velocity(agent);
        assert!(after.distance(before) < 0.7, "{before} {after}");
    }
}

#[test]
fn a_static_agent_that_becomes_dynamic_goes_on() {
    let mut sim = two();
    let body = (RigidBody::Static, Collider::circle(0.5));
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body));
    sim.run(1.0);
    sim.app.world_mut().entity_mut(agent).insert(RigidBody::Dynamic);
    sim.tick();
    sim.tick();
    assert!(sim.velocity(agent).x > 4.5, "{}", sim.velocity(agent));
}

#[test]
fn what_the_game_did_to_a_body_counts_when_it_gives_the_agent_back() {
    let mut sim = two();
    let body = (RigidBody::Dynamic, Collider::circle(0.5));
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body));
    sim.run(1.0);
    sim.app.world_mut().entity_mut(agent).insert((SkipIntegration, LinearVelocity(Vec2::Y * 3.0)));
    sim.run(1.0);
    sim.app.world_mut().entity_mut(agent).remove::<SkipIntegration>();
    sim.tick();
    assert!(sim.velocity(agent).y > 2.5, "{}", sim.velocity(agent));
}

#[test]
fn entities_that_are_no_agents_keep_their_motion() {
    let mut sim = two();
    let thrown =
        sim.spawn((RigidBody::Dynamic, Collider::circle(0.5), LinearVelocity(Vec2::X * 2.0)));
    let lure = sim.spawn((Velocity(Vec3::Y), Transform::default()));
    sim.run(1.0);
    assert!((sim.position(thrown).x - 2.0).abs() < 0.05);
    assert_eq!(sim.position(lure), Vec3::ZERO);
    assert_eq!(sim.velocity(lure), Vec3::Y);
}

#[test]
fn engines_of_both_dimensions_leave_each_other_s_obstacles_alone() {
    let mut sim = Sim::new(64.0, |app| {
        // Only one of the engines can add the plugin of `bevy_transform_interpolation`.
        let solid = avian3d::PhysicsPlugins::default()
            .build()
            .disable::<avian3d::interpolation::PhysicsInterpolationPlugin>();
        app.add_plugins((
            SteeringPlugin::default(),
            (PhysicsPlugins::default(), solid),
            (dim2::AvianSteeringPlugin::default(), dim3::AvianSteeringPlugin::default()),
        ));
    });
    let flat = sim.spawn((Collider::circle(1.0), at(0.0, 0.0)));
    let solid = sim.spawn((avian3d::prelude::Collider::sphere(2.0), at(9.0, 0.0)));
    sim.run(0.5);
    for (entity, radius) in [(flat, 1.0), (solid, 2.0)] {
        assert_eq!(sim.get::<Obstacle>(entity).shape, ObstacleShape::Sphere { radius });
    }
    sim.app.world_mut().entity_mut(flat).remove::<Collider>();
    sim.run(0.5);
    assert!(!sim.has::<Obstacle>(flat) && sim.has::<Obstacle>(solid));
}
