//! `Seek`, `Pursue`, `OffsetPursue`, `MatchVelocity`.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Seen, Sim, at, watch};

const PREY: SteeringLayers = SteeringLayers::layer(1);

#[test]
fn a_seeker_gets_there_at_full_speed_and_shoots_over() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::new(10.0), Seek::new(Vec2::new(30.0, 40.0)), at(0.0, 0.0)));
    let (mut nearest, mut fastest) = (f32::MAX, 0.0_f32);
    sim.run_with(8.0, |world| {
        let position = world.get::<Transform>(agent).unwrap().translation;
        nearest = nearest.min(position.distance(Vec3::new(30.0, 40.0, 0.0)));
        fastest = fastest.max(world.get::<Velocity>(agent).unwrap().length());
    });
    assert!(nearest < 0.2, "passed at {nearest}");
    assert!((9.9..=10.001).contains(&fastest), "{fastest}");
    assert!(sim.velocity(agent).length() > 1.0, "a seeker does not come to rest");
}

#[test]
fn a_seeker_follows_a_child_entity_where_it_is_in_the_world() {
    let mut sim = Sim::new();
    let parent = sim.spawn(at(50.0, 0.0));
    let child = sim.spawn((at(0.0, 10.0), ChildOf(parent)));
    let agent = sim.spawn((Vehicle::new(10.0), Seek::new(child), at(0.0, 0.0)));
    sim.run(2.0);
    let direction = sim.velocity(agent).normalize();
    assert!(direction.dot(Vec3::new(50.0, 10.0, 0.0).normalize()) > 0.999, "{direction}");
}

#[test]
fn a_seeker_takes_the_short_way_round() {
    let mut sim = Sim::new();
    let bounds = Bounds::rect(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Wrap);
    sim.app.insert_resource(WorldBounds(bounds));
    let agent = sim.spawn((Vehicle::new(10.0), Seek::new(Vec2::new(45.0, 0.0)), at(-45.0, 0.0)));
    let mut reached = None;
    let mut tick = 0;
    sim.run_with(3.0, |world| {
        tick += 1;
        let x = world.get::<Transform>(agent).unwrap().translation.x;
        if reached.is_none() && (x - 45.0).abs() < 1.0 {
            reached = Some(tick);
        }
        assert!(x.abs() >= 35.0, "went the long way: {x}");
    });
    assert!(reached.unwrap() < 96, "10 units at 10 a second: {reached:?}");
}

#[test]
fn a_pursuer_cuts_the_corner() {
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
    let blind = caught_after(Pursue::default().with_max_prediction(0.0));
    // Meeting point: |(40, 8T)| = 10T gives T = 40/6 s.
    assert!((6.0..7.5).contains(&foreseeing), "{foreseeing}");
    assert!(blind > foreseeing * 1.5, "{blind} against {foreseeing}");
    for prediction in [Prediction::Distance, Prediction::OwnSpeed] {
        let time = caught_after(Pursue::default().with_prediction(prediction));
        assert!(time < blind, "{prediction:?}: {time}");
    }
}

#[test]
fn the_nearest_of_a_layer_is_pursued() {
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
fn nobody_in_sight_is_nobody_to_pursue() {
    let mut sim = Sim::new();
    sim.spawn((Vehicle::default(), PREY, at(10.0, 0.0)));
    let pursue = Pursue::new(Target::nearest(PREY, 9.0));
    let hunter = sim.spawn((Vehicle::default(), pursue, at(0.0, 0.0)));
    sim.run(1.0);
    assert_eq!(sim.position(hunter), Vec3::ZERO);
}

#[test]
fn a_lost_target_is_told_once_and_the_agent_drifts_on() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let prey = sim.spawn((Vehicle::default(), at(100.0, 0.0)));
    let hunter = sim.spawn((Vehicle::default(), Seek::new(prey), at(0.0, 0.0)));
    sim.run(1.0);
    let velocity = sim.velocity(hunter);
    sim.app.world_mut().despawn(prey);
    sim.run(1.0);
    assert_eq!(sim.app.world().resource::<Seen>().0, [format!("TargetLost {prey:?}")]);
    assert_eq!(sim.velocity(hunter), velocity);
    assert_eq!(*sim.get::<SteeringForce>(hunter), SteeringForce::default());
}

#[test]
fn a_wingman_takes_its_slot_and_keeps_it() {
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
fn matching_velocity_goes_along() {
    let mut sim = Sim::new();
    let leader = sim.spawn((Transform::default(), Velocity(Vec3::new(2.0, 3.0, 0.0))));
    let agent = sim.spawn((Vehicle::default(), MatchVelocity::new(leader), at(50.0, 50.0)));
    sim.run(2.0);
    assert!((sim.velocity(agent) - Vec3::new(2.0, 3.0, 0.0)).length() < 1e-3);
}
