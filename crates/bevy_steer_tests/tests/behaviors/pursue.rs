//! `Pursue`.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

const PREY: SteeringLayers = SteeringLayers::layer(1);

#[test]
fn pursue_intercepts_the_target() {
    let caught_after = |pursue: Pursue| {
        let mut sim = Sim::new();
        let prey = sim.spawn((
            Vehicle::new(8.0),
            Velocity(Vec3::Y * 8.0),
            Seek::new(Vec2::new(40.0, 1e4)),
            at(40.0, 0.0),
        ));
        let hunter =
            sim.spawn((Vehicle::new(10.0), Pursue { target: prey.into(), ..pursue }, at(0.0, 0.0)));
        let mut ticks = 0;
        while sim.position(hunter).distance(sim.position(prey)) > 1.0 {
            sim.tick();
            ticks += 1;
            assert!(ticks < 64 * 40, "never caught");
        }
        ticks as f32 / 64.0
    };
    let foreseeing = caught_after(Pursue::default());
    let blind = caught_after(Pursue::default().with_max_look_ahead(0.0));
    // Meeting point: |(40, 8T)| = 10T gives T = 40/6 s.
    assert!((6.0..7.5).contains(&foreseeing), "{foreseeing}");
    assert!(blind > foreseeing * 1.5, "{blind} against {foreseeing}");
    for prediction in [Prediction::Distance, Prediction::OwnSpeed] {
        let time = caught_after(Pursue::default().with_prediction(prediction));
        assert!(time < blind, "{prediction:?}: {time}");
    }
}

#[test]
fn pursue_chases_the_nearest_of_a_layer() {
    let mut sim = Sim::new();
    let decoy = sim.spawn((Vehicle::default(), at(-2.0, 0.0)));
    let near = sim.spawn((Vehicle::default(), PREY, at(10.0, 0.0)));
    sim.spawn((Vehicle::default(), PREY, at(-15.0, 0.0)));
    let pursue = Pursue::new(Target::nearest(PREY, 100.0));
    let hunter = sim.spawn((Vehicle::default(), pursue, at(0.0, 0.0)));
    sim.run(1.0);
    assert!(sim.position(hunter).x > 1.0);
    assert_eq!(sim.get::<Pursue>(hunter).memory.current, Some(near));
    assert_ne!(near, decoy);
}

#[test]
fn without_a_target_in_range_pursue_rests() {
    let mut sim = Sim::new();
    sim.spawn((Vehicle::default(), PREY, at(10.0, 0.0)));
    let pursue = Pursue::new(Target::nearest(PREY, 9.0));
    let hunter = sim.spawn((Vehicle::default(), pursue, at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.position(hunter), Vec3::ZERO);
}
