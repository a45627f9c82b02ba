//! `Seek`.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Seen, Sim, at, watch};

#[test]
fn seek_passes_the_target_at_full_speed() {
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
fn seek_uses_the_global_position_of_a_child() {
    let mut sim = Sim::new();
    let parent = sim.spawn(at(50.0, 0.0));
    let child = sim.spawn((at(0.0, 10.0), ChildOf(parent)));
    let agent = sim.spawn((Vehicle::new(10.0), Seek::new(child), at(0.0, 0.0)));
    sim.run(2.0);
    let direction = sim.velocity(agent).normalize();
    assert!(direction.dot(Vec3::new(50.0, 10.0, 0.0).normalize()) > 0.999, "{direction}");
}

#[test]
fn seek_takes_the_short_way_across_a_wrapping_edge() {
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
fn a_lost_target_emits_one_event_and_the_agent_stops() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let prey = sim.spawn((Vehicle::default(), at(100.0, 0.0)));
    let hunter = sim.spawn((Vehicle::default(), Seek::new(prey), at(0.0, 0.0)));
    sim.run(1.0);
    sim.app.world_mut().despawn(prey);
    sim.run(2.0);
    assert_eq!(sim.app.world().resource::<Seen>().0, [format!("TargetLost {prey:?}")]);
    assert_eq!(sim.velocity(hunter), Vec3::ZERO);
    let force = sim.get::<SteeringForce>(hunter).linear.length();
    assert!(force < 1e-9, "no force at rest: {force}");
}
