//! Colliders are obstacles, feelers feel them, and rays hit them.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_rapier2d::prelude::{
    Collider, ColliderDisabled, CollisionGroups, Group, RigidBody, Sensor, Velocity as Body,
};
use bevy_steer::{ObstacleShape, prelude::*};
use bevy_steer_rapier::{
    ColliderChoice, ColliderObstacles, IgnoredCollider, ObstacleCollider,
    dim2::{AvoidColliders, ColliderRays},
};

use crate::common::{Sim, at, two, vehicle};

fn shapes(sim: &mut Sim) -> Vec<ObstacleShape> {
    sim.obstacles().into_iter().map(|(obstacle, _)| obstacle.shape).collect()
}

#[test]
fn an_agent_goes_round_a_collider() {
    for kind in [None, Some(RigidBody::Fixed), Some(RigidBody::KinematicVelocityBased)] {
        let mut sim = two();
        let block = sim.spawn((Collider::cuboid(1.0, 3.0), at(6.0, 0.3)));
        if let Some(kind) = kind {
            sim.app.world_mut().entity_mut(block).insert(kind);
        }
        let goal = Vec2::X * 12.0;
        let body = (RigidBody::Dynamic, Collider::ball(0.5));
        let agent = sim.spawn((vehicle(), Arrive::new(goal), AvoidObstacles::default(), body));
        sim.run_with(6.0, |sim| {
            let off =
                (sim.position(agent) - Vec3::new(6.0, 0.3, 0.0)).abs() - Vec3::new(1.0, 3.0, 0.0);
            assert!(off.truncate().max(Vec2::ZERO).length() > 0.45, "{kind:?} {off}");
        });
        assert!(sim.position(agent).distance(goal.extend(0.0)) < 0.2, "{}", sim.position(agent));
    }
}

#[test]
fn shapes_of_colliders_are_shapes_of_obstacles() {
    let mut sim = two();
    sim.spawn((Collider::ball(2.0), at(0.0, 0.0)));
    sim.spawn((Collider::cuboid(1.0, 2.0), at(9.0, 0.0)));
    sim.spawn((Collider::capsule_y(1.0, 0.5), at(20.0, 0.0)));
    sim.spawn((Collider::segment(Vec2::ZERO, Vec2::X), at(30.0, 0.0)));
    sim.run(0.1);
    let shapes = shapes(&mut sim);
    assert_eq!(shapes.len(), 4, "{shapes:?}");
    assert!(shapes.contains(&ObstacleShape::Sphere { radius: 2.0 }));
    assert!(shapes.contains(&ObstacleShape::Box { half_size: Vec3::new(1.0, 2.0, 0.0) }));
    assert!(shapes.contains(&ObstacleShape::Capsule { radius: 0.5, half_length: 1.0 }));
}

#[test]
fn colliders_are_chosen_by_kind_marker_and_group() {
    let mut sim = two();
    sim.spawn((Collider::ball(1.0), Sensor));
    sim.spawn((Collider::ball(1.0), ColliderDisabled));
    sim.spawn((Collider::ball(1.0), IgnoredCollider));
    sim.spawn((vehicle(), RigidBody::Dynamic, Collider::ball(0.5)));
    let marked = sim.spawn((Collider::ball(1.5), ObstacleCollider));
    let groups = CollisionGroups::new(Group::GROUP_3, Group::ALL);
    let of_group = sim.spawn((Collider::ball(2.5), groups));
    sim.run(0.1);
    let obstacle = |sim: &Sim, entity| sim.app.world().get::<Obstacle>(entity).copied();
    assert_eq!(sim.obstacles().len(), 2);
    assert_eq!(obstacle(&sim, of_group).unwrap().layers, SteeringLayers::layer(2));
    let mut set = |choice, layers| {
        let mut obstacles = sim.app.world_mut().resource_mut::<ColliderObstacles>();
        (obstacles.choice, obstacles.layers) = (choice, layers);
        sim.run(0.1);
        [marked, of_group].map(|one| obstacle(&sim, one).is_some())
    };
    assert_eq!(set(ColliderChoice::Marked, SteeringLayers::ALL), [true, false]);
    assert_eq!(set(ColliderChoice::All, SteeringLayers::layer(2)), [true, true]);
    assert_eq!(set(ColliderChoice::All, SteeringLayers::layer(1)), [true, false]);
    assert_eq!(set(ColliderChoice::None, SteeringLayers::ALL), [false, false]);
}

#[test]
fn obstacles_follow_their_colliders_and_go_with_them() {
    let mut sim = two();
    let moving = (RigidBody::KinematicVelocityBased, Body::linear(Vec2::Y * 2.0));
    let body = sim.spawn((moving, at(0.0, 0.0)));
    let child = sim.spawn((Collider::ball(1.0), at(3.0, 0.0), ChildOf(body)));
    sim.run(1.0);
    let [(_, place)] = sim.obstacles()[..] else { panic!("one obstacle") };
    assert!(place.distance(Vec3::new(3.0, 2.0, 0.0)) < 0.1, "{place}");
    let mut all = sim.app.world_mut().query_filtered::<&bevy_steer::Velocity, With<Obstacle>>();
    let velocity = all.single(sim.app.world()).unwrap().0;
    assert!(velocity.distance(Vec3::Y * 2.0) < 0.01, "{velocity}");
    let groups = CollisionGroups::new(Group::GROUP_3, Group::ALL);
    let layers = |sim: &mut Sim| sim.obstacles()[0].0.layers;
    sim.app.world_mut().entity_mut(child).insert(groups);
    sim.run(0.1);
    assert_eq!(layers(&mut sim), SteeringLayers::layer(2));
    sim.app.world_mut().entity_mut(child).remove::<CollisionGroups>();
    sim.run(0.1);
    assert_eq!(layers(&mut sim), SteeringLayers::ALL);
    sim.app.world_mut().entity_mut(child).insert(Collider::cuboid(1.0, 1.0));
    sim.run(0.1);
    assert_eq!(shapes(&mut sim), [ObstacleShape::Box { half_size: Vec3::new(1.0, 1.0, 0.0) }]);
    sim.app.world_mut().entity_mut(child).remove::<Collider>();
    sim.run(0.1);
    assert!(sim.obstacles().is_empty());
    sim.app.world_mut().entity_mut(child).insert(Collider::ball(1.0));
    sim.run(0.1);
    sim.app.world_mut().despawn(body);
    sim.run(0.1);
    assert!(sim.obstacles().is_empty());
}

#[test]
fn a_body_that_its_transform_moves_is_an_obstacle_that_moves() {
    let mut sim = two();
    let kind = RigidBody::KinematicPositionBased;
    let door = sim.spawn((kind, Collider::cuboid(1.0, 1.0), at(0.0, 0.0)));
    sim.run_with(1.0, |sim| sim.get_mut::<Transform>(door).translation.y += 2.0 / 64.0);
    assert!((sim.velocity(door).y - 2.0).abs() < 0.01, "{}", sim.velocity(door));
}

#[test]
fn feelers_feel_colliders_that_are_no_obstacles() {
    let mut sim = two();
    sim.app.world_mut().resource_mut::<ColliderObstacles>().choice = ColliderChoice::None;
    // Whatever is drawn above.
    sim.spawn((Collider::cuboid(0.5, 20.0), Transform::from_xyz(8.0, 0.0, 7.0)));
    let body = (RigidBody::KinematicVelocityBased, Collider::ball(0.5));
    let behaviors = (Cruise::default(), AvoidColliders::default());
    let agent = sim.spawn((vehicle(), behaviors, body, Transform::from_xyz(0.0, 1.0, 3.0)));
    sim.run_with(8.0, |sim| {
        let x = sim.position(agent).x;
        assert!(x < 7.05, "{x}");
    });
    assert!(sim.position(agent).y.abs() > 5.0, "{}", sim.position(agent));
}

#[test]
fn rays_hit_colliders_of_a_layer() {
    let mut sim = two();
    sim.spawn((vehicle(), RigidBody::Dynamic, Collider::ball(0.5), at(2.0, 0.0)));
    let groups = CollisionGroups::new(Group::GROUP_2, Group::ALL);
    let wall = sim.spawn((Collider::cuboid(0.5, 2.0), groups, at(5.0, 0.0)));
    sim.run(0.1);
    let look = move |rays: ColliderRays| {
        let hit = rays.cast_ray(Vec3::ZERO, Vec3::X, 10.0, SteeringLayers::ALL).unwrap();
        assert_eq!(hit.entity, Some(wall), "not the agent");
        assert!((hit.distance - 4.5).abs() < 1e-3 && hit.normal.distance(Vec3::NEG_X) < 1e-3);
        let sees = |layers| rays.line_of_sight(Vec3::ZERO, Vec3::X * 9.0, layers);
        assert!(!sees(SteeringLayers::ALL) && !sees(SteeringLayers::layer(1)));
        assert!(sees(SteeringLayers::layer(0)));
        assert!(rays.cast_ray(Vec3::NAN, Vec3::X, 1.0, SteeringLayers::ALL).is_none());
        assert!(rays.cast_ray(Vec3::ZERO, Vec3::ZERO, 1.0, SteeringLayers::ALL).is_none());
    };
    sim.app.world_mut().run_system_once(look).unwrap();
}
