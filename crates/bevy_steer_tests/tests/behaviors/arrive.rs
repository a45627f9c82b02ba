//! Arrive: it gets there, it stops there, at every tick rate.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Seen, Sim, at, watch};

const PROFILES: [ArriveProfile; 5] = [
    ArriveProfile::SlowRadius(4.0),
    ArriveProfile::SLOW,
    ArriveProfile::NORMAL,
    ArriveProfile::FAST,
    ArriveProfile::Braking,
];

#[test]
fn arrive_settles_within_the_stop_radius() {
    const STOP: f32 = 0.2;
    const GOAL: f32 = 20.0;
    for hz in [20.0, 30.0, 60.0, 144.0] {
        for profile in PROFILES {
            for vehicle in [Vehicle::new(5.0), Vehicle::new(5.0).with_max_force(4.0)] {
                let case = format!("{hz} Hz, {profile:?}, force {}", vehicle.max_force);
                let mut sim = Sim::with(SteeringPlugin::new(Update), hz);
                let arrive =
                    Arrive::new(Vec2::new(GOAL, 0.0)).with_profile(profile).with_stop_radius(STOP);
                let agent = sim.spawn((vehicle, arrive, at(0.0, 0.0)));
                let (mut farthest, mut turns, mut last) = (0.0_f32, 0, 1.0_f32);
                sim.run_with(15.0, |world| {
                    farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
                    let speed = world.get::<Velocity>(agent).unwrap().x;
                    turns += usize::from(speed * last < 0.0 && speed.abs() > 0.01);
                    last = if speed.abs() > 0.01 { speed } else { last };
                });
                let end = sim.position(agent).x;
                assert!((end - GOAL).abs() <= STOP, "{case}: rests at {end}");
                assert!(farthest <= GOAL + STOP, "{case}: shot over to {farthest}");
                assert_eq!(turns, 0, "{case}: swings");
                assert!(sim.velocity(agent).length() < 1e-3, "{case}: creeps");
            }
        }
    }
}

#[test]
fn arrive_does_not_overshoot_with_a_slow_response() {
    const GOAL: f32 = 700.0;
    for response in [0.0, 0.05, 0.1, 0.3, 1.0] {
        for profile in PROFILES {
            let vehicle = Vehicle::new(340.0).with_max_force(700.0).with_response(response);
            let mut sim = Sim::new();
            let arrive = Arrive::new(Vec2::X * GOAL).with_profile(profile).with_stop_radius(1.0);
            let agent = sim.spawn((vehicle, arrive, at(0.0, 0.0)));
            let mut farthest = 0.0_f32;
            sim.run_with(12.0, |world| {
                farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
            });
            let case = format!("response {response}, {profile:?}");
            assert!(farthest <= GOAL + 0.1, "{case}: shot over to {farthest}");
            assert!(sim.position(agent).x > GOAL - 1.5, "{case}: at {}", sim.position(agent).x);
        }
    }
}

#[test]
fn arrive_profiles_differ_in_speed() {
    let time = |profile| {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let arrive = Arrive::new(Vec2::new(20.0, 0.0)).with_profile(profile);
        sim.spawn((Vehicle::new(5.0), arrive, at(0.0, 0.0)));
        let mut ticks = 0;
        while sim.app.world().resource::<Seen>().0.is_empty() {
            sim.tick();
            ticks += 1;
            assert!(ticks < 64 * 30, "{profile:?} never arrives");
        }
        ticks
    };
    let times = [ArriveProfile::FAST, ArriveProfile::NORMAL, ArriveProfile::SLOW].map(time);
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
    assert!(time(ArriveProfile::Braking) <= times[0]);
}

#[test]
fn arrived_is_emitted_again_after_the_target_moved_away() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let goal = sim.spawn(at(5.0, 0.0));
    let agent = sim.spawn((Vehicle::default(), Arrive::new(goal), at(0.0, 0.0)));
    sim.run(10.0);
    let arrived = format!("Arrived {{ entity: {agent} }}");
    assert_eq!(sim.app.world().resource::<Seen>().0.len(), 1, "{arrived}");
    sim.get_mut::<Transform>(goal).translation = Vec3::new(0.0, 5.0, 0.0);
    sim.run(10.0);
    assert_eq!(sim.app.world().resource::<Seen>().0.len(), 2);
}

#[test]
fn arrived_resets_at_two_stop_radii() {
    for (step, told) in [(1.9, 1), (2.1, 2)] {
        const STOP_RADIUS: f32 = 4.0;
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let goal = sim.spawn(at(5.0, 0.0));
        let arrive = Arrive::new(goal).with_stop_radius(STOP_RADIUS);
        let agent = sim.spawn((Vehicle::default(), arrive, at(0.0, 0.0)));
        sim.run(10.0);
        let there = sim.position(agent);
        sim.get_mut::<Transform>(goal).translation = there + Vec3::X * (STOP_RADIUS * step);
        sim.run(10.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), told, "{step} radii away");
    }
}

#[test]
fn arrive_returns_after_a_push() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Arrive::new(Vec2::ZERO), at(3.0, 0.0)));
    sim.run(6.0);
    sim.get_mut::<Velocity>(agent).0 = Vec3::Y * 5.0;
    sim.run(8.0);
    assert!(sim.position(agent).length() <= 0.1);
}

#[test]
fn arrived_is_emitted_once_while_others_push_the_agent() {
    // A point is jostled as far as a body.
    for body in [Vehicle::default(), Vehicle::default().with_radius(0.0)] {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let goal = sim.spawn(at(5.0, 0.0));
        let agent = sim.spawn((body, Arrive::new(goal), at(0.0, 0.0)));
        sim.run(6.0);
        let mut farthest = 0.0_f32;
        for push in 0..20 {
            sim.get_mut::<Velocity>(agent).0 = Quat::from_rotation_z(push as f32) * Vec3::X * 5.0;
            sim.run_with(0.7, |world| {
                let place = world.get::<Transform>(agent).unwrap().translation;
                farthest = farthest.max(place.distance(Vec3::X * 5.0));
            });
        }
        assert!(farthest > 0.4, "it was pushed out of two stop radii: {farthest}");
        sim.run(5.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), 1);
        // Far off it has left.
        sim.get_mut::<Transform>(agent).translation.x = -5.0;
        sim.run(6.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), 2);
    }
}

#[test]
fn the_first_arrival_is_told_once_while_others_push_the_agent() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let agent = sim.spawn((Vehicle::default(), Arrive::new(Vec2::new(5.0, 0.0)), at(0.0, 0.0)));
    let told = |sim: &Sim| sim.app.world().resource::<Seen>().0.len();
    let mut before = 0;
    for push in 0..40 {
        let kick = Quat::from_rotation_z(push as f32 * 2.4) * Vec3::X * 1.5;
        sim.get_mut::<Velocity>(agent).0 += kick;
        sim.run(0.15);
        assert!(told(&sim) <= 1, "after {push} pushes");
        before += usize::from(told(&sim) == 0);
    }
    assert!(before > 5, "it was pushed before it had arrived");
    sim.run(5.0);
    assert_eq!(told(&sim), 1);
}
