//! `Face`, `Align`, `LookWhereYouGo`, and agents without them.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, Heading, KeepRotation, TurnLimits, prelude::*};
use core::f32::consts::{FRAC_PI_2, PI};

use crate::common::{Sim, at};

#[test]
fn agents_look_where_they_go() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), 64.0);
        let goal = plane.direction(2.0) * 100.0;
        let agent = sim.spawn((Vehicle::default(), Seek::new(goal)));
        sim.run(1.0);
        let looks = sim.get::<Transform>(agent).rotation * plane.forward();
        assert!(looks.dot(goal.normalize()) > 0.999, "{plane:?} {looks}");
    }
}

#[test]
fn the_rotation_an_agent_is_spawned_with_is_kept_while_it_stands() {
    let mut sim = Sim::new();
    let rotation = Quat::from_rotation_z(1.0);
    let agent = sim.spawn((Vehicle::default(), Transform::from_rotation(rotation)));
    sim.run(1.0);
    assert!(sim.get::<Transform>(agent).rotation.angle_between(rotation) < 1e-3);
    let heading = SteeringPlane::Xy.direction(1.0);
    assert!((sim.heading(agent) - heading).length() < 1e-6);
}

#[test]
fn rotation_can_be_left_to_the_game() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(0.0, 50.0));
    let agent = sim.spawn((Vehicle::default(), seek, KeepRotation, at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.get::<Transform>(agent).rotation, Quat::IDENTITY);
    assert!(sim.heading(agent).y > 0.99);
}

#[test]
fn facing_turns_to_the_target_whatever_way_the_agent_moves() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(0.0, 1e3));
    let face = Face::new(Vec2::new(0.0, -1e3));
    let agent = sim.spawn((Vehicle::default(), seek, face, at(0.0, 0.0)));
    sim.run(2.0);
    assert!(sim.velocity(agent).y > 4.0);
    assert!(sim.heading(agent).y < -0.999, "{}", sim.heading(agent));
    let looks = sim.get::<Transform>(agent).rotation * Vec3::X;
    assert!(looks.y < -0.999);
}

#[test]
fn turning_settles_without_swinging_at_every_rate() {
    for hz in [20.0, 30.0, 60.0, 144.0] {
        for angle in [0.5, FRAC_PI_2, -2.5, PI] {
            let mut sim = Sim::with(SteeringPlugin::new(Update), hz);
            let agent = sim.spawn((Vehicle::default(), Align::to_angle(angle)));
            let mut overshoot = 0.0_f32;
            let wanted = SteeringPlane::Xy.direction(angle);
            sim.run_with(3.0, |world| {
                let heading = world.get::<Heading>(agent).unwrap().0;
                let past = heading.cross(wanted).z * -angle.signum();
                let near = heading.dot(wanted) > 0.5;
                overshoot = overshoot.max(if near { past } else { 0.0 });
            });
            let off = sim.heading(agent).angle_between(wanted);
            assert!(off <= 0.011, "{hz} Hz, {angle}: off by {off}");
            assert!(overshoot < 0.03, "{hz} Hz, {angle}: overshoots by {overshoot}");
            assert!(sim.get::<AngularVelocity>(agent).length() < 1e-3);
        }
    }
}

#[test]
fn the_fastest_turn_is_limited() {
    let mut sim = Sim::new();
    let limits = TurnLimits { max_rate: 1.0, ..default() };
    let agent = sim.spawn((Vehicle::default(), Align::to_angle(3.0).with_limits(limits)));
    sim.run_with(1.0, |world| {
        assert!(world.get::<AngularVelocity>(agent).unwrap().length() < 1.001);
    });
    assert!(sim.heading(agent).angle_between(Vec3::X) < 1.0);
}

#[test]
fn looking_like_another_follows_its_turns() {
    let mut sim = Sim::new();
    let leader = sim.spawn((Vehicle::default(), Align::to_angle(2.0)));
    let agent = sim.spawn((Vehicle::default(), Align::like(leader), at(5.0, 0.0)));
    sim.run(4.0);
    assert!(sim.heading(agent).dot(SteeringPlane::Xy.direction(2.0)) > 0.999);
}

#[test]
fn looking_where_it_goes_smoothly_ends_up_along_the_motion() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(-100.0, 0.0));
    let limits = TurnLimits { max_rate: 2.0, slow_angle: 0.5, ..default() };
    let look = LookWhereYouGo::default().with_limits(limits);
    let agent = sim.spawn((Vehicle::default(), seek, look, at(0.0, 0.0)));
    sim.run(0.5);
    assert!(sim.heading(agent).x > 0.0, "it cannot have turned yet");
    sim.run(3.5);
    assert!(sim.heading(agent).x < -0.999);
}

#[test]
fn flyers_turn_to_anywhere() {
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Free), 64.0);
    for target in [Vec3::new(3.0, 4.0, 5.0), Vec3::Y * 9.0, Vec3::NEG_Y * 9.0, Vec3::Z * 9.0] {
        let agent = sim.spawn((Vehicle::default(), Face::new(target)));
        sim.run(3.0);
        let looks = sim.get::<Transform>(agent).rotation * Vec3::NEG_Z;
        assert!(looks.dot(target.normalize()) > 0.999, "{target}: {looks}");
    }
}

#[test]
fn an_agent_whose_angular_velocity_is_removed_looks_where_it_goes_again() {
    let mut sim = Sim::new();
    let face = Face::new(Vec2::new(0.0, 100.0));
    let seek = Seek::new(Vec2::new(100.0, 0.0));
    let agent = sim.spawn((Vehicle::default(), seek, face));
    sim.run(0.1);
    assert!(sim.get::<SteeringForce>(agent).angular.z > 0.0);
    sim.app.world_mut().entity_mut(agent).remove::<AngularVelocity>();
    sim.run(1.0);
    assert_eq!(sim.get::<SteeringForce>(agent).angular.to_array().map(f32::to_bits), [0; 3]);
    assert!(sim.heading(agent).x > 0.999);
}

#[test]
fn turning_takes_no_more_than_its_acceleration() {
    for max_accel in [2.0, 20.0] {
        let mut sim = Sim::new();
        let limits = TurnLimits { max_accel, ..default() };
        let agent = sim.spawn((Vehicle::default(), Align::to_angle(3.0).with_limits(limits)));
        let mut most = 0.0_f32;
        sim.run_with(2.0, |world| {
            most = most.max(world.get::<SteeringForce>(agent).unwrap().angular.length());
        });
        assert!((0.99..1.01).contains(&(most / max_accel)), "{most} of {max_accel}");
    }
}
