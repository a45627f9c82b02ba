//! A flock that nothing else drives flies at its cruising speed.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::flock_of;
use crate::common::{Sim, at};

/// The speed at which a vehicle with default parameters cruises in a flock with default ones.
const CRUISE: f32 = 3.0;

#[test]
fn a_lone_boid_sets_out_and_cruises() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::in_plane(plane);
        let heading = plane.direction(2.0);
        let start = Transform::from_rotation(plane.rotation(heading));
        // Eight of them and one more, each far from the others.
        let boids: Vec<Entity> = (0..9)
            .map(|i| {
                let place = plane.direction(0.0) * (i as f32 * 1e3);
                let start = start.with_translation(place);
                sim.spawn((Vehicle::default(), Flock::default(), start))
            })
            .collect();
        let fast = plane.direction(2.0) * 5.0;
        sim.get_mut::<Velocity>(boids[3]).0 = fast;
        sim.run(15.0);
        for boid in boids {
            let off = sim.velocity(boid).distance(heading * CRUISE);
            assert!(off < 0.01, "{plane:?}: {}", sim.velocity(boid));
        }
    }
}

#[test]
fn boids_in_groups_cruise_and_with_narrow_views_slower() {
    for (view_angle, least) in [(core::f32::consts::TAU, 0.9), (4.5, 0.5)] {
        let mut sim = Sim::new();
        let flock = Flock::new(6.0).with_view_angle(view_angle);
        let boids = flock_of(60, flock, &mut sim);
        sim.run(15.0);
        let speeds: f32 = boids.iter().map(|&boid| sim.velocity(boid).length()).sum();
        let share = speeds / boids.len() as f32 / CRUISE;
        assert!((least..1.3).contains(&share), "{view_angle}: {share} of its cruising speed");
    }
}

#[test]
fn a_flock_with_a_target_does_what_the_target_asks() {
    let mut sim = Sim::new();
    let boids = flock_of(12, Flock::new(6.0), &mut sim);
    for &boid in &boids {
        sim.app.world_mut().entity_mut(boid).insert(Seek::new(Vec2::new(1e4, 0.0)));
    }
    sim.run(8.0);
    for &boid in &boids {
        assert!(sim.velocity(boid).x > 4.5, "nearly at top speed: {}", sim.velocity(boid));
        let rest = Stop::default().with_weight(4.0);
        sim.app.world_mut().entity_mut(boid).remove::<Seek>().insert(rest);
    }
    sim.run(8.0);
    for &boid in &boids {
        assert!(sim.velocity(boid).length() < 0.2, "at rest: {}", sim.velocity(boid));
    }
}

#[test]
fn without_a_cruising_speed_a_boid_does_as_when_idle() {
    let speed = |idle: WhenIdle| {
        let mut sim = Sim::new();
        let motion = (Velocity(Vec3::X * 2.0), at(0.0, 0.0));
        let boid = sim.spawn((Vehicle::default(), Flock::default().with_cruise(0.0), idle, motion));
        sim.run(3.0);
        sim.velocity(boid).x
    };
    assert_eq!([WhenIdle::Brake, WhenIdle::Coast].map(speed), [0.0, 2.0]);
}
