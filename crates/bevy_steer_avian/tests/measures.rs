//! Mass, radius and height come from the body, unless the game has set them.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{at, two};

#[test]
fn mass_and_radius_come_from_the_body() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, Collider::circle(2.0)));
    sim.run(0.1);
    let vehicle = *sim.get::<Vehicle>(agent);
    let mass = sim.get::<ComputedMass>(agent).value();
    assert!(mass > 12.0 && vehicle.mass == mass, "{mass} {vehicle:?}");
    assert_eq!(vehicle.radius, 2.0);
    assert!((vehicle.max_acceleration() - 20.0).abs() < 1e-3, "as before");
    // They follow the body.
    sim.app.world_mut().entity_mut(agent).insert((Mass(3.0), Collider::circle(1.0)));
    sim.run(0.1);
    let vehicle = *sim.get::<Vehicle>(agent);
    assert_eq!((vehicle.mass, vehicle.radius), (3.0, 1.0));
    assert!((vehicle.max_acceleration() - 20.0).abs() < 1e-3);
}

#[test]
fn what_the_game_has_set_stays() {
    let mut sim = two();
    let own = Vehicle::new(5.0).with_mass(7.0).with_radius(0.8);
    let agent = sim.spawn((own, RigidBody::Dynamic, Collider::circle(2.0)));
    let measured = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, Collider::circle(2.0)));
    sim.get_mut::<Transform>(measured).translation.x = 20.0;
    sim.run(0.1);
    assert_eq!(*sim.get::<Vehicle>(agent), own);
    sim.get_mut::<Vehicle>(measured).radius = 1.5;
    sim.app.world_mut().entity_mut(measured).insert(Collider::circle(4.0));
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(measured).radius, 1.5, "set after it was measured");
}

/// As a game does where an agent gets better.
#[test]
fn another_vehicle_is_measured_anew() {
    let mut sim = two();
    let body = (RigidBody::Dynamic, Collider::circle(2.0));
    let agent = sim.spawn((Vehicle::new(5.0), body));
    sim.run(0.1);
    let before = *sim.get::<Vehicle>(agent);
    sim.app.world_mut().entity_mut(agent).insert(Vehicle::new(8.0));
    sim.run(0.1);
    let vehicle = *sim.get::<Vehicle>(agent);
    assert_eq!((vehicle.radius, vehicle.mass), (2.0, before.mass));
    assert!((vehicle.max_acceleration() - 32.0).abs() < 1e-3, "{vehicle:?}");
    // What the game sets of it stays, also if it is what a new one has.
    sim.get_mut::<Vehicle>(agent).mass = 1.0;
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).mass, 1.0);
}

#[test]
fn colliders_of_children_and_compounds_count() {
    let mut sim = two();
    let arm = Collider::compound(vec![(Vec2::X * 2.0, 0.0, Collider::circle(0.5))]);
    let compound = sim.spawn((Vehicle::new(5.0), RigidBody::Kinematic, arm));
    let parent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, at(30.0, 0.0)));
    sim.spawn((Collider::rectangle(2.0, 2.0), at(2.0, 0.0), ChildOf(parent)));
    sim.run(0.1);
    assert!((sim.get::<Vehicle>(compound).radius - 2.5).abs() < 1e-5);
    assert_eq!(sim.get::<Vehicle>(compound).mass, 1.0, "kinematic");
    let radius = sim.get::<Vehicle>(parent).radius;
    assert!((radius - 10f32.sqrt()).abs() < 1e-4, "{radius}");
    assert!((sim.get::<Vehicle>(parent).mass - 4.0).abs() < 1e-3);
}

#[test]
fn sensors_and_disabled_colliders_do_not_count() {
    let mut sim = two();
    let body = (RigidBody::Dynamic, Collider::circle(0.4));
    let agent = sim.spawn((Vehicle::new(5.0), body));
    let zone = sim.spawn((Collider::circle(10.0), Sensor, Transform::default(), ChildOf(agent)));
    sim.spawn((Collider::circle(8.0), ColliderDisabled, Transform::default(), ChildOf(agent)));
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 0.4);
    sim.app.world_mut().entity_mut(zone).remove::<Sensor>();
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 10.0);
    sim.app.world_mut().entity_mut(zone).insert(ColliderDisabled);
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 0.4);
}

#[test]
fn an_agent_that_the_game_moves_is_measured_when_it_is_given_back() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), RigidBody::Dynamic, Collider::circle(0.4)));
    sim.run(0.1);
    let before = *sim.get::<Vehicle>(agent);
    sim.app.world_mut().entity_mut(agent).insert((SkipIntegration, Collider::circle(1.0)));
    sim.run(0.1);
    assert_eq!(*sim.get::<Vehicle>(agent), before);
    sim.app.world_mut().entity_mut(agent).remove::<SkipIntegration>();
    sim.run(0.1);
    assert_eq!(sim.get::<Vehicle>(agent).radius, 1.0);
}
