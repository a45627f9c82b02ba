//! Three dimensions: agents on the ground, and in free space.

use bevy::prelude::*;
use bevy_rapier3d::prelude::{Collider, LockedAxes, RigidBody};
use bevy_steer::{SteeringHeight, prelude::*};
use bevy_steer_rapier::dim3::AvoidColliders;

use crate::common::{three, vehicle};

fn floor() -> impl Bundle {
    (RigidBody::Fixed, Collider::cuboid(50.0, 0.5, 50.0), Transform::from_xyz(0.0, -0.5, 0.0))
}

fn standing(x: f32, z: f32) -> impl Bundle {
    let body = (RigidBody::Dynamic, Collider::capsule_y(0.5, 0.5), LockedAxes::ROTATION_LOCKED);
    (body, Transform::from_xyz(x, 1.05, z))
}

#[test]
fn an_agent_on_the_floor_goes_round_a_pillar() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    let pillar = (RigidBody::Fixed, Collider::cuboid(1.0, 2.0, 1.0));
    sim.spawn((pillar, Transform::from_xyz(5.0, 2.0, 0.2)));
    let goal = Vec3::new(10.0, 0.0, 0.0);
    let behaviors = (Arrive::new(goal), AvoidObstacles::default(), AvoidColliders::default());
    let agent = sim.spawn((vehicle(), behaviors, standing(0.0, 0.0)));
    sim.run_with(6.0, |sim| {
        let place = sim.position(agent);
        assert!(place.y > 0.9 && place.y < 1.2, "it stands on the floor: {place}");
        let off = (place - Vec3::new(5.0, 0.0, 0.2)).abs() - 1.0;
        assert!(off.xz().max(Vec2::ZERO).length() > 0.45, "{place}");
    });
    let place = sim.position(agent);
    // Friction with the floor holds it a little before its goal.
    assert!(place.xz().distance(goal.xz()) < 0.4, "{place}");
    let height = sim.get::<SteeringHeight>(agent).0;
    assert!((height - 1.8).abs() < 1e-3, "{height}");
}

#[test]
fn an_agent_falls_as_the_engine_says() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    let agent = sim.spawn((vehicle(), Seek::new(Vec3::X * 90.0), standing(0.0, 0.0)));
    sim.get_mut::<Transform>(agent).translation.y = 6.0;
    sim.run(0.5);
    let place = sim.position(agent);
    assert!((place.y - (6.0 - 0.5 * 9.81 * 0.25)).abs() < 0.1, "{place}");
    assert!(place.x > 1.0, "{place}");
    sim.run(2.0);
    assert!((sim.position(agent).y - 1.0).abs() < 0.1, "{}", sim.position(agent));
}

#[test]
fn the_floor_is_not_in_the_way_and_a_ball_is_in_free_space() {
    let mut sim = three(SteeringPlane::Xz);
    sim.spawn(floor());
    sim.run(0.1);
    assert_eq!(sim.obstacles().len(), 1, "below the height of agents");
    let mut sim = three(SteeringPlane::Free);
    sim.spawn((RigidBody::Fixed, Collider::ball(2.0), Transform::from_xyz(6.0, 0.0, 0.0)));
    let body = (RigidBody::KinematicVelocityBased, Collider::ball(0.5));
    let goal = Vec3::X * 12.0;
    let agent = sim.spawn((vehicle(), Arrive::new(goal), AvoidObstacles::default(), body));
    sim.run_with(6.0, |sim| {
        assert!(sim.position(agent).distance(Vec3::X * 6.0) > 2.45, "{}", sim.position(agent));
    });
    assert!(sim.position(agent).distance(goal) < 0.2, "{}", sim.position(agent));
}
