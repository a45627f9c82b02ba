//! Dynamic bodies: the change of velocity goes in, the engine's velocity comes back.

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{AngularVelocity as Spin, Heading, Velocity, prelude::*};

use crate::common::{at, two, vehicle};

fn body() -> impl Bundle {
    (RigidBody::Dynamic, Collider::circle(0.5))
}

#[test]
fn an_agent_with_a_body_moves_as_one_without() {
    let mut sim = two();
    let goal = Vec2::new(12.0, 3.0);
    let with = sim.spawn((vehicle(), Arrive::new(goal), body(), at(-3.0, 0.0)));
    let without = sim.spawn((vehicle(), Arrive::new(goal), at(-3.0, 0.0)));
    sim.run_with(5.0, |sim| {
        let apart = sim.position(with).distance(sim.position(without));
        assert!(apart < 0.02, "{apart}");
        let facing = sim.get::<Transform>(with).rotation * Vec3::X;
        let faces = sim.get::<Transform>(without).rotation * Vec3::X;
        assert!(facing.distance(faces) < 0.1, "{facing} {faces}");
    });
    assert!(sim.position(with).distance(goal.extend(0.0)) < 0.1);
    assert!(sim.get::<LinearVelocity>(with).length() < 0.01);
}

#[test]
fn the_velocity_of_the_engine_comes_back() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), WhenIdle::Coast, body()));
    sim.run(0.5);
    sim.get_mut::<LinearVelocity>(agent).0 = Vec2::new(3.0, -1.0);
    sim.run(0.5);
    assert!(sim.velocity(agent).distance(Vec3::new(3.0, -1.0, 0.0)) < 0.01);
    assert!(sim.position(agent).distance(Vec3::new(1.5, -0.5, 0.0)) < 0.1);
}

#[test]
fn a_velocity_at_the_start_counts() {
    let mut sim = two();
    let agent = sim.spawn((Vehicle::new(5.0), WhenIdle::Coast, body(), Velocity(Vec3::X * 2.0)));
    sim.run(1.0);
    assert!((sim.position(agent).x - 2.0).abs() < 0.05, "{}", sim.position(agent));
}

#[test]
fn a_body_knocked_by_a_collision_recovers() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Arrive::new(Vec2::X * 10.0), body()));
    sim.spawn((body(), LinearVelocity(Vec2::new(0.0, 20.0)), at(4.0, -25.0)));
    let (mut pushed, mut fastest) = (0.0f32, 0.0f32);
    sim.run_with(8.0, |sim| {
        pushed = pushed.max(sim.position(agent).y.abs());
        fastest = fastest.max(sim.velocity(agent).length());
    });
    // Knock it once more, and turn it.
    sim.get_mut::<LinearVelocity>(agent).0 = Vec2::new(-30.0, 20.0);
    sim.get_mut::<AngularVelocity>(agent).0 = 40.0;
    sim.tick();
    assert!(sim.velocity(agent).length() > 20.0, "it slows down by its force");
    sim.run(20.0);
    assert!(sim.position(agent).distance(Vec3::X * 10.0) < 0.1, "{}", sim.position(agent));
    assert!(sim.get::<AngularVelocity>(agent).0.abs() < 0.01);
    assert!(fastest.is_finite() && pushed.is_finite());
}

#[test]
fn an_agent_pushes_what_is_in_its_way() {
    let mut sim = two();
    let agent = sim.spawn((vehicle().with_mass(2.0), Mass(2.0), Seek::new(Vec2::X * 50.0), body()));
    let crates = (RigidBody::Dynamic, Collider::rectangle(1.0, 1.0), Mass(1.0));
    let pushed = sim.spawn((crates, at(3.0, 0.0)));
    sim.run(3.0);
    assert!(sim.position(pushed).x > 6.0, "{}", sim.position(pushed));
    let slower = sim.velocity(agent).x;
    assert!(slower > 1.0 && slower < 5.1, "{slower}");
}

#[test]
fn agents_that_turn_by_an_angular_velocity_get_a_torque() {
    let mut sim = two();
    let face = Face::new(Vec2::new(0.0, 10.0));
    let agent = sim.spawn((vehicle(), Stop::default(), face, body()));
    sim.run(0.25);
    let spin = sim.get::<AngularVelocity>(agent).0;
    assert!(spin > 0.1, "{spin}");
    assert!((sim.get::<Spin>(agent).z - spin).abs() < 0.5);
    sim.run(3.0);
    let facing = sim.get::<Transform>(agent).rotation * Vec3::X;
    assert!(facing.distance(Vec3::Y) < 0.05, "{facing}");
    assert!(sim.get::<Heading>(agent).0.distance(Vec3::Y) < 0.05);
    // A contact turns it away.
    sim.get_mut::<AngularVelocity>(agent).0 = -6.0;
    sim.tick();
    sim.tick();
    assert!(sim.get::<Heading>(agent).0.distance(Vec3::Y) > 0.05);
    sim.run(3.0);
    assert!(sim.get::<Heading>(agent).0.distance(Vec3::Y) < 0.05);
}

#[test]
fn locked_axes_and_kept_rotations_stay() {
    let mut sim = two();
    let seek = Seek::new(Vec2::new(20.0, 20.0));
    let locked = LockedAxes::ROTATION_LOCKED.lock_translation_y();
    let locked = sim.spawn((vehicle(), seek, body(), locked));
    let kept = sim.spawn((vehicle(), seek, body(), KeepRotation, at(5.0, 0.0)));
    sim.run(1.0);
    assert!(sim.position(locked).x > 1.0 && sim.position(locked).y.abs() < 1e-3);
    for agent in [locked, kept] {
        let facing = sim.get::<Transform>(agent).rotation * Vec3::X;
        assert!(facing.distance(Vec3::X) < 1e-3, "{facing}");
    }
    assert!(sim.position(kept).y > 1.0);
}

#[test]
fn a_body_that_sleeps_wakes_up_for_its_agent() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Arrive::new(Vec2::ZERO), body()));
    sim.run(6.0);
    assert!(sim.has::<Sleeping>(agent));
    sim.get_mut::<Arrive>(agent).target = Vec2::X.into();
    sim.run(3.0);
    assert!(sim.position(agent).distance(Vec3::X) < 0.1, "{}", sim.position(agent));
}

#[test]
fn nothing_piles_up_while_the_engine_is_paused_or_a_body_disabled() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body()));
    let disabled = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body(), at(0.0, 5.0)));
    sim.app.world_mut().entity_mut(disabled).insert(RigidBodyDisabled);
    sim.app.world_mut().resource_mut::<Time<Physics>>().pause();
    sim.run(2.0);
    assert_eq!(sim.position(agent), Vec3::ZERO);
    sim.app.world_mut().resource_mut::<Time<Physics>>().unpause();
    sim.tick();
    assert!(sim.velocity(agent).length() < 1.0, "{}", sim.velocity(agent));
    sim.run(2.0);
    assert!(sim.position(agent).x > 5.0 && sim.position(agent).x < 10.5);
    assert_eq!(sim.position(disabled), Vec3::Y * 5.0);
    sim.app.world_mut().entity_mut(disabled).remove::<RigidBodyDisabled>();
    sim.run(2.0);
    assert!(sim.position(disabled).x > 5.0);
}

#[test]
fn invalid_input_reaches_no_body() {
    let mut sim = two();
    let agent = sim.spawn((vehicle(), Seek::new(Vec2::X * 90.0), body()));
    sim.run(0.5);
    sim.get_mut::<Velocity>(agent).0 = Vec3::NAN;
    sim.run(0.5);
    let before = sim.position(agent);
    assert!(before.is_finite());
    sim.get_mut::<Vehicle>(agent).max_speed = f32::NAN;
    sim.get_mut::<Heading>(agent).0 = Vec3::NAN;
    sim.run(0.5);
    assert!(sim.position(agent).is_finite() && sim.get::<LinearVelocity>(agent).0.is_finite());
    sim.get_mut::<Vehicle>(agent).max_speed = 5.0;
    sim.run(1.0);
    assert!(sim.position(agent).x > before.x + 3.0);
}

#[test]
fn bodies_wrap_round_the_edge_of_the_world() {
    let mut sim = two();
    let bounds = Bounds::rect(Vec2::splat(-10.0), Vec2::splat(10.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(bounds));
    let current = sim.spawn((Velocity(Vec3::X * 5.0), Transform::default()));
    let mut spawn = |y, body: Option<RigidBody>| {
        let agent = sim.spawn((vehicle(), MatchVelocity::new(current), at(8.0, y)));
        if let Some(body) = body {
            sim.app.world_mut().entity_mut(agent).insert((body, Collider::circle(0.5)));
        }
        agent
    };
    let agents = [None, Some(RigidBody::Dynamic), Some(RigidBody::Kinematic)]
        .into_iter()
        .enumerate()
        .map(|(i, body)| spawn(3.0 * i as f32 - 3.0, body));
    let agents: Vec<_> = agents.collect();
    sim.run_with(3.0, |sim| {
        let places: Vec<_> = agents.iter().map(|&agent| sim.position(agent).x).collect();
        assert!(places.iter().all(|x| (x - places[0]).abs() < 0.05), "{places:?}");
    });
    assert!(sim.position(agents[1]).x < 8.0);
}

#[test]
fn slow_agents_do_not_fall_asleep_on_their_way() {
    for body in [RigidBody::Dynamic, RigidBody::Kinematic] {
        let mut sim = two();
        let agent = sim.spawn((Vehicle::new(0.1), Seek::new(Vec2::X * 90.0)));
        sim.app.world_mut().entity_mut(agent).insert((body, Collider::circle(0.5)));
        sim.run(6.0);
        let x = sim.position(agent).x;
        assert!((0.55..0.61).contains(&x), "{body:?} {x}");
    }
}
