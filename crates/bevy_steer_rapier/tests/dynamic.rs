//! Dynamic bodies: the change of velocity goes in, the engine's velocity comes back.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_rapier2d::prelude::{
    Collider, ColliderMassProperties, LockedAxes, RapierConfiguration, RigidBody, Velocity as Body,
};
use bevy_steer::{Velocity, prelude::*};

use crate::common::{at, two, vehicle};

fn body() -> impl Bundle {
    (RigidBody::Dynamic, Collider::ball(0.5))
}

#[test]
fn an_agent_with_a_body_moves_as_one_without() {
    let mut sim = two();
    let goal = Vec2::new(12.0, 3.0);
    let with = sim.spawn((vehicle(), Arrive::new(goal), body(), at(-3.0, 0.0)));
    let without = sim.spawn((vehicle(), Arrive::new(goal), at(-3.0, 0.0)));
    sim.run_with(5.0, |sim| {
        let apart = sim.position(with).distance(sim.position(without));
        assert!(apart < 0.05, "{apart}");
        let facing = sim.get::<Transform>(with).rotation * Vec3::X;
        let faces = sim.get::<Transform>(without).rotation * Vec3::X;
        assert!(facing.distance(faces) < 0.1, "{facing} {faces}");
    });
    assert!(sim.position(with).distance(goal.extend(0.0)) < 0.1);
    assert!(sim.get::<Body>(with).linear.length() < 0.01);
}

#[test]
fn the_velocity_of_the_engine_comes_back() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), WhenIdle::Coast, body()));
    sim.run(0.5);
    sim.get_mut::<Body>(agent).linear = Vec2::new(3.0, -1.0);
    sim.run(0.5);
    assert!(sim.velocity(agent).distance(Vec3::new(3.0, -1.0, 0.0)) < 0.01);
    assert!(sim.position(agent).distance(Vec3::new(1.5, -0.5, 0.0)) < 0.1);
}

#[test]
fn a_velocity_at_the_start_counts() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), WhenIdle::Coast, body(), Velocity(Vec3::X * 2.0)));
    sim.run(1.0);
    assert!((sim.position(agent).x - 2.0).abs() < 0.06, "{}", sim.position(agent));
}

#[test]
fn a_body_knocked_by_a_collision_recovers() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Arrive::new(Vec2::X * 10.0), body()));
    sim.spawn((body(), Body::linear(Vec2::new(0.0, 20.0)), at(4.0, -25.0)));
    sim.run(8.0);
    // Knock it once more, and turn it.
    *sim.get_mut::<Body>(agent) = Body { linear: Vec2::new(-30.0, 20.0), angular: 40.0 };
    sim.tick();
    assert!(sim.velocity(agent).length() > 20.0, "it slows down by its force");
    sim.run(20.0);
    assert!(sim.position(agent).distance(Vec3::X * 10.0) < 0.1, "{}", sim.position(agent));
    assert!(sim.get::<Body>(agent).angular.abs() < 0.01);
}

#[test]
fn an_agent_pushes_what_is_in_its_way() {
    let mut sim = two();
    let mass = ColliderMassProperties::Mass;
    let body = (body(), mass(2.0));
    let agent = sim.spawn((vehicle().with_mass(2.0), Seek::new(Vec2::X * 50.0), body));
    let block = (RigidBody::Dynamic, Collider::cuboid(0.5, 0.5), mass(1.0));
    let pushed = sim.spawn((block, at(3.0, 0.0)));
    sim.run(3.0);
    assert!(sim.position(pushed).x > 6.0, "{}", sim.position(pushed));
    let slower = sim.velocity(agent).x;
    assert!(slower > 1.0 && slower < 5.1, "{slower}");
}

#[test]
fn locked_axes_and_a_world_at_rest_stay() {
    let mut sim = two();
    let locked = LockedAxes::TRANSLATION_LOCKED_Y;
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::splat(50.0)), body(), locked));
    sim.run(2.0);
    let place = sim.position(agent);
    assert!(place.x > 2.0 && place.y.abs() < 1e-3, "{place}");
    let mut all = sim.app.world_mut().query::<&mut RapierConfiguration>();
    all.single_mut(sim.app.world_mut()).unwrap().physics_pipeline_active = false;
    sim.run(1.0);
    assert!(sim.position(agent).distance(place) < 1e-3, "{}", sim.position(agent));
}

#[test]
fn a_body_with_a_child_moves_in_every_tick_of_a_frame() {
    for kind in [RigidBody::Dynamic, RigidBody::KinematicPositionBased] {
        let mut sim = two();
        sim.app.insert_resource(TimeUpdateStrategy::FixedTimesteps(2));
        let agent = sim.spawn((vehicle(), Cruise::default(), kind, Collider::ball(0.5)));
        sim.spawn((Transform::from_xyz(0.0, 0.0, 1.0), ChildOf(agent)));
        // Twice as many ticks as updates.
        sim.run(1.0);
        assert!(sim.position(agent).x > 9.0, "{kind:?} {}", sim.position(agent));
    }
}

#[test]
fn an_agent_that_wraps_round_the_world_goes_on_on_the_other_side() {
    let mut sim = two();
    let world = Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(world));
    let agent = sim.spawn((vehicle(), Cruise::default(), body(), at(8.0, 0.0)));
    let mut left = false;
    sim.run_with(3.0, |sim| {
        let place = sim.position(agent);
        assert!(place.x.abs() < 10.2, "{place}");
        left |= place.x < -5.0;
    });
    assert!(left && sim.velocity(agent).x > 4.0, "{}", sim.velocity(agent));
}

#[test]
fn an_agent_brings_its_velocity_along_to_a_body_that_was_gone_or_fixed() {
    for gone in [true, false] {
        let mut sim = two();
        let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body()));
        sim.run(1.0);
        let mut world = sim.app.world_mut().entity_mut(agent);
        if gone {
            world.remove::<(RigidBody, Collider)>();
        } else {
            world.insert(RigidBody::Fixed);
        }
        world.insert(Seek::new(Vec2::new(0.0, 90.0)));
        sim.run(1.0);
        let before = sim.velocity(agent);
        assert!(before.y > 4.0, "{before}");
        sim.app.world_mut().entity_mut(agent).insert(body());
        sim.tick();
        sim.tick();
        let after = sim.velocity(agent);
        assert!(after.distance(before) < 0.7, "{before} {after}");
    }
}
