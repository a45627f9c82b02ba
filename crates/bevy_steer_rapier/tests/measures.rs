//! Mass and radius come from the body, unless the game has set them.

use bevy::prelude::*;
use bevy_rapier2d::prelude::{
    Collider, ColliderDisabled, ColliderMassProperties, RigidBody, Sensor,
};
use bevy_steer::prelude::*;

use crate::common::{at, two};

#[test]
fn mass_and_radius_come_from_the_body() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, Collider::ball(2.0)));
    sim.run(0.1);
    let vehicle = *sim.get::<Vehicle>(agent);
    assert!((vehicle.mass - 12.566).abs() < 0.01, "{vehicle:?}");
    assert_eq!(vehicle.radius, 2.0);
    assert!((vehicle.max_acceleration() - 20.0).abs() < 1e-3, "as before");
    // They follow the body.
    let other = (ColliderMassProperties::Mass(3.0), Collider::ball(1.0));
    sim.app.world_mut().entity_mut(agent).insert(other);
    sim.run(0.1);
    let vehicle = *sim.get::<Vehicle>(agent);
    assert!((vehicle.mass - 3.0).abs() < 1e-3 && vehicle.radius == 1.0, "{vehicle:?}");
    assert!((vehicle.max_acceleration() - 20.0).abs() < 1e-3);
}

#[test]
fn what_the_game_has_set_stays() {
    let mut sim = two();
    let own = Vehicle::new(5.0).with_mass(7.0).with_radius(0.8);
    let agent = sim.spawn((own, RigidBody::Dynamic, Collider::ball(2.0)));
    sim.run(0.1);
    assert_eq!(*sim.get::<Vehicle>(agent), own);
}

#[test]
fn colliders_of_children_and_compounds_count() {
    let mut sim = two();
    let arm = Collider::compound(vec![(Vec2::X * 2.0, 0.0, Collider::ball(0.5))]);
    let compound = sim.spawn((Vehicle::new(5.0), RigidBody::KinematicVelocityBased, arm));
    let parent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, at(30.0, 0.0)));
    sim.spawn((Collider::cuboid(1.0, 1.0), at(2.0, 0.0), ChildOf(parent)));
    let large = at(60.0, 0.0).with_scale(Vec3::splat(3.0));
    let scaled = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, large));
    sim.spawn((Collider::ball(0.5), at(2.0, 0.0), ChildOf(scaled)));
    sim.run(0.1);
    assert!((sim.get::<Vehicle>(scaled).radius - 7.5).abs() < 1e-3);
    assert!((sim.get::<Vehicle>(compound).radius - 2.5).abs() < 1e-5);
    assert_eq!(sim.get::<Vehicle>(compound).mass, 1.0, "kinematic");
    let radius = sim.get::<Vehicle>(parent).radius;
    assert!((radius - 10f32.sqrt()).abs() < 1e-4, "{radius}");
    assert!((sim.get::<Vehicle>(parent).mass - 4.0).abs() < 1e-3);
}

#[test]
fn sensors_and_disabled_colliders_do_not_count() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, Collider::ball(0.4)));
    let zone = sim.spawn((Collider::ball(10.0), Sensor, Transform::default(), ChildOf(agent)));
    sim.spawn((Collider::ball(8.0), ColliderDisabled, Transform::default(), ChildOf(agent)));
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 0.4);
    sim.app.world_mut().entity_mut(zone).remove::<Sensor>();
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 10.0);
}
