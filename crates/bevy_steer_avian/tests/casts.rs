//! Feelers and lines of sight cast into the engine's spatial query.

use avian2d::prelude::*;
use bevy::{ecs::system::SystemState, prelude::*};
use bevy_steer::{Velocity, prelude::*};
use bevy_steer_avian::{
    ColliderChoice, ColliderObstacles, IgnoredCollider,
    dim2::{AvoidColliders, ColliderRays},
};

use crate::common::{Sim, at, two, vehicle};

/// A world in which no collider is an obstacle, so that only casts find them.
fn without_obstacles() -> Sim {
    let mut sim = two();
    sim.app.insert_resource(ColliderObstacles { choice: ColliderChoice::None, ..default() });
    sim
}

fn ask<R>(sim: &mut Sim, question: impl FnOnce(&ColliderRays) -> R) -> R {
    let world = sim.app.world_mut();
    let mut state = SystemState::<ColliderRays>::new(world);
    question(&state.get(world).expect("the rays"))
}

#[test]
fn feelers_keep_agents_off_colliders() {
    let room =
        [Vec2::new(-6.0, -6.0), Vec2::new(6.0, -6.0), Vec2::splat(6.0), Vec2::new(-6.0, 6.0)];
    let walls = Collider::polyline(room.to_vec(), Some(vec![[0, 1], [1, 2], [2, 3], [3, 0]]));
    for body in [None, Some(RigidBody::Kinematic), Some(RigidBody::Dynamic)] {
        let mut sim = without_obstacles();
        sim.spawn((RigidBody::Static, walls.clone()));
        let behaviors = (Wander::default(), AvoidColliders::default());
        let start = at(0.0, 1.0).with_rotation(Quat::from_rotation_z(0.3));
        let agent = sim.spawn((vehicle(), behaviors, start));
        if let Some(body) = body {
            sim.app.world_mut().entity_mut(agent).insert((body, Collider::circle(0.5)));
        }
        let (mut farthest, mut way) = (0.0f32, 0.0);
        sim.run_with(20.0, |sim| {
            farthest = farthest.max(sim.position(agent).abs().max_element());
            way += sim.velocity(agent).length() / 64.0;
        });
        assert!(farthest < 5.55, "{body:?}: {farthest}");
        assert!(way > 20.0, "{body:?}: {way}");
    }
}

#[test]
fn feelers_feel_neither_agents_nor_sensors_nor_what_is_ignored() {
    let mut sim = without_obstacles();
    let stone = || (RigidBody::Static, Collider::circle(1.0), at(6.0, 0.0));
    sim.spawn((stone(), Sensor));
    sim.spawn((stone(), IgnoredCollider));
    sim.spawn((stone(), vehicle()));
    let other = CollisionLayers::new(LayerMask(8), LayerMask::NONE);
    sim.spawn((stone(), other));
    let push = sim.spawn((Velocity(Vec3::X * 5.0), Transform::default()));
    let feelers = AvoidColliders::default().with_layers(SteeringLayers(1));
    let agent = sim.spawn((vehicle(), MatchVelocity::new(push), feelers));
    sim.run(2.0);
    assert!(sim.position(agent).x > 8.5, "{}", sim.position(agent));
    let hits = ask(&mut sim, |rays| {
        let all = rays.cast_ray(Vec3::ZERO, Vec3::X, 20.0, SteeringLayers::ALL);
        let first = rays.cast_ray(Vec3::ZERO, Vec3::X, 20.0, SteeringLayers(1));
        (all.map(|hit| hit.distance), first.map(|hit| hit.distance))
    });
    assert_eq!(hits.1, None);
    assert!((hits.0.unwrap() - 5.0).abs() < 1e-4, "{hits:?}");
}

#[test]
fn rays_tell_lines_of_sight() {
    let mut sim = without_obstacles();
    let wall = sim.spawn((RigidBody::Static, Collider::rectangle(1.0, 4.0), at(5.0, 0.0)));
    sim.run(0.1);
    let all = SteeringLayers::ALL;
    ask(&mut sim, |rays| {
        assert!(!rays.line_of_sight(Vec3::ZERO, Vec3::X * 10.0, all));
        assert!(rays.line_of_sight(Vec3::ZERO, Vec3::X * 4.4, all), "it ends before");
        assert!(rays.line_of_sight(Vec3::Y * 3.0, Vec3::new(10.0, 3.0, 0.0), all));
        let hit = rays.cast_ray(Vec3::ZERO, Vec3::X * 7.0, 10.0, all).unwrap();
        assert!((hit.distance - 4.5).abs() < 1e-4 && hit.normal.distance(Vec3::NEG_X) < 1e-4);
        assert_eq!(hit.entity, Some(wall));
        for (from, along, length) in [
            (Vec3::NAN, Vec3::X, 9.0),
            (Vec3::ZERO, Vec3::NAN, 9.0),
            (Vec3::ZERO, Vec3::ZERO, 9.0),
            (Vec3::ZERO, Vec3::X, f32::NAN),
            (Vec3::ZERO, Vec3::X, -1.0),
        ] {
            assert_eq!(rays.cast_ray(from, along, length, all), None);
        }
    });
}

#[test]
fn an_agent_does_not_feel_its_own_colliders() {
    let mut sim = without_obstacles();
    let behaviors = (Seek::new(Vec2::X * 90.0), AvoidColliders::default());
    let agent = sim.spawn((vehicle(), behaviors, RigidBody::Dynamic, Collider::circle(0.5)));
    sim.spawn((Collider::circle(0.3), at(0.9, 0.0), ChildOf(agent)));
    sim.run(2.0);
    assert!(sim.position(agent).x > 7.0, "{}", sim.position(agent));
}

#[test]
fn feelers_feel_what_is_drawn_above_or_below() {
    let mut sim = without_obstacles();
    let wall = (RigidBody::Static, Collider::rectangle(1.0, 40.0));
    sim.spawn((wall, Transform::from_xyz(8.0, 0.0, 7.0)));
    let start = Transform::from_xyz(0.0, 1.0, 3.0);
    let agent = sim.spawn((vehicle(), Cruise::default(), AvoidColliders::default(), start));
    sim.run_with(6.0, |sim| {
        let x = sim.position(agent).x;
        assert!(x < 7.05, "{x}");
    });
    assert!(sim.position(agent).y.abs() > 5.0, "{}", sim.position(agent));
}
