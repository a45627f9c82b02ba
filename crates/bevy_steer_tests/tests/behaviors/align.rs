//! `Align`.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, Heading, TurnLimits, prelude::*};
use core::f32::consts::{FRAC_PI_2, PI};

use crate::common::{Sim, at};

#[test]
fn align_settles_without_overshoot_at_any_tick_rate() {
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
fn align_keeps_the_maximum_turn_rate() {
    let mut sim = Sim::new();
    let limits = TurnLimits { max_rate: 1.0, ..default() };
    let agent = sim.spawn((Vehicle::default(), Align::to_angle(3.0).with_limits(limits)));
    sim.run_with(1.0, |world| {
        assert!(world.get::<AngularVelocity>(agent).unwrap().length() < 1.001);
    });
    assert!(sim.heading(agent).angle_between(Vec3::X) < 1.0);
}

#[test]
fn align_follows_the_heading_of_another_agent() {
    let mut sim = Sim::new();
    let leader = sim.spawn((Vehicle::default(), Align::to_angle(2.0)));
    let agent = sim.spawn((Vehicle::default(), Align::like(leader), at(5.0, 0.0)));
    sim.run(4.0);
    assert!(sim.heading(agent).dot(SteeringPlane::Xy.direction(2.0)) > 0.999);
}

#[test]
fn align_keeps_the_maximum_acceleration() {
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
