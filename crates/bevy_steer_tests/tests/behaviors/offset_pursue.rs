//! `OffsetPursue`.

use bevy::prelude::*;
use bevy_steer::{Heading, Velocity, prelude::*};

use crate::common::{Seen, Sim, at, watch};

#[test]
fn offset_pursue_takes_and_keeps_its_slot() {
    let mut sim = Sim::new();
    let leader = sim.spawn((
        Vehicle::new(6.0),
        Velocity(Vec3::X * 6.0),
        Seek::new(Vec2::new(1e4, 0.0)),
        at(0.0, 0.0),
    ));
    let slot = Vec3::new(-3.0, 2.0, 0.0);
    let wingman = sim.spawn((Vehicle::new(9.0), OffsetPursue::new(leader, slot), at(-20.0, -10.0)));
    sim.run(12.0);
    for _ in 0..64 {
        sim.tick();
        let off = (sim.position(wingman) - sim.position(leader) - slot).length();
        assert!(off < 0.3, "{off}");
    }
}

#[test]
fn offset_pursue_keeps_its_slot_in_curves() {
    const RADIUS: f32 = 5.0;
    const SPEED: f32 = 3.0;
    for plane in SteeringPlane::ALL {
        for offset in [Vec3::new(-2.0, 1.0, 0.0), Vec3::new(0.0, -2.0, 0.0)] {
            // Two behind and one aside, whichever axis that is in the plane.
            let local = if plane == SteeringPlane::Xy { offset } else { offset.yzx() };
            let mut sim = Sim::in_plane(plane);
            let start = Transform::from_translation(plane.direction(0.0) * RADIUS);
            let leader = sim.spawn((start, Velocity::default(), Heading::default()));
            let follower = sim.spawn((Vehicle::default(), OffsetPursue::new(leader, local), start));
            let (mut worst, mut time) = (0.0_f32, 0.0);
            for tick in 0..600 {
                // As it is when the follower looks, at the beginning of a tick.
                let angle = time * SPEED / RADIUS;
                let along = plane.direction(angle + core::f32::consts::FRAC_PI_2);
                let place = plane.direction(angle) * RADIUS;
                sim.get_mut::<Transform>(leader).translation = place;
                sim.get_mut::<Velocity>(leader).0 = along * SPEED;
                sim.get_mut::<Heading>(leader).0 = along;
                let slot = place + plane.rotation(along) * local;
                if tick > 200 {
                    worst = worst.max(slot.distance(sim.position(follower)));
                }
                sim.tick();
                time += 1.0 / sim.hz;
            }
            assert!(worst < 0.12, "{plane:?} {local}: {worst} from its place");
        }
    }
}

#[test]
fn offset_pursue_arrives_once_in_its_slot() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let seek = Seek::new(Vec2::new(1e4, 0.0));
    let leader = sim.spawn((Vehicle::new(6.0), Velocity(Vec3::X * 6.0), seek, at(0.0, 0.0)));
    let slot = Vec3::new(-3.0, 2.0, 0.0);
    let wingman = sim.spawn((Vehicle::new(9.0), OffsetPursue::new(leader, slot), at(-20.0, -10.0)));
    let arrived = |sim: &Sim| sim.app.world().resource::<Seen>().0.len();
    while arrived(&sim) == 0 {
        sim.tick();
        assert!(sim.position(leader).x < 100.0, "it never arrives");
    }
    let off = (sim.position(wingman) - sim.position(leader) - slot).length();
    assert!(off < 0.5 && (sim.velocity(wingman).x - 6.0).abs() < 1.0, "{off}");
    sim.run(6.0);
    assert_eq!(arrived(&sim), 1);
    // Another leader is another slot.
    let other = sim.spawn((Vehicle::new(6.0), at(0.0, 0.0)));
    sim.get_mut::<OffsetPursue>(wingman).target = other.into();
    sim.run(20.0);
    assert_eq!(arrived(&sim), 2);
}
