//! What the body of an agent allows: top speed, its plane, how fast it turns.

use bevy::prelude::*;
use bevy_steer::{AngularLimits, AngularVelocity, Heading, TurnLimits, Velocity, prelude::*};

use crate::common::{Sim, at};

#[test]
fn a_knock_decays_by_the_force_of_the_agent() {
    let vehicle = Vehicle::new(5.0).with_max_force(8.0);
    let mut sim = Sim::new();
    // A whole block and some more.
    let agents: Vec<Entity> = (0..11)
        .map(|_| sim.spawn((vehicle, Seek::new(Vec2::X * 1e3), Velocity(Vec3::X * 25.0))))
        .collect();
    let mut last = 25.0;
    sim.run_with(2.0, |world| {
        for &agent in &agents {
            let speed = world.get::<Velocity>(agent).unwrap().x;
            let slows = (last - speed) * 64.0;
            assert!((slows - 8.0).abs() < 0.01, "by {slows} a second squared, not by its force");
        }
        last = world.get::<Velocity>(agents[0]).unwrap().x;
    });
    sim.run(2.0);
    assert!((sim.velocity(agents[10]).x - 5.0).abs() < 1e-3);
}

#[test]
fn a_lowered_top_speed_is_reached_by_braking() {
    let mut sim = Sim::new();
    let vehicle = Vehicle::new(5.0).with_max_force(2.0);
    let motion = (Velocity(Vec3::X * 5.0), at(0.0, 0.0));
    let agent = sim.spawn((vehicle, Cruise::default(), motion));
    sim.tick();
    sim.get_mut::<Vehicle>(agent).max_speed = 1.0;
    sim.run(1.0);
    assert!((sim.velocity(agent).x - 3.0).abs() < 0.1, "{}", sim.velocity(agent));
    sim.run(2.0);
    assert!((sim.velocity(agent).x - 1.0).abs() < 1e-3, "{}", sim.velocity(agent));
}

#[test]
fn a_new_plane_takes_away_the_velocity_outside_of_it() {
    for is_own in [true, false] {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Free), 64.0);
        let spawn = |_| sim.spawn((Vehicle::new(10.0), Seek::new(Vec3::new(50.0, 0.0, 90.0))));
        let agents: Vec<Entity> = (0..9).map(spawn).collect();
        sim.run(2.0);
        assert!(sim.velocity(agents[0]).z > 7.0);
        if is_own {
            for &agent in &agents {
                sim.app.world_mut().entity_mut(agent).insert(SteeringPlane::Xy);
            }
        } else {
            let world = sim.app.world_mut();
            world.resource_mut::<bevy_steer::SteeringSettings>().plane = SteeringPlane::Xy;
        }
        let height = sim.position(agents[0]).z;
        sim.run(2.0);
        for agent in agents {
            assert_eq!((sim.velocity(agent).z, sim.position(agent).z), (0.0, height));
            assert!(sim.velocity(agent).length() < 10.001);
        }
    }
}

/// The fastest turn and the greatest change of it of an agent that turns to look back, and how far
/// it swings past.
fn turn(limits: AngularLimits, behaviors: impl Bundle) -> [f32; 3] {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), limits, behaviors));
    let wanted = SteeringPlane::Xy.direction(3.0);
    let mut most = [0.0_f32; 3];
    sim.run_with(6.0, |world| {
        let heading = world.get::<Heading>(agent).unwrap().0;
        let past = if heading.x < 0.0 { wanted.cross(heading).z } else { 0.0 };
        let rate = world.get::<AngularVelocity>(agent).unwrap().length();
        let change = world.get::<SteeringForce>(agent).unwrap().angular.length();
        most = [most[0].max(rate), most[1].max(change), most[2].max(past)];
    });
    assert!(sim.heading(agent).distance(wanted) < 0.05, "{}", sim.heading(agent));
    most
}

#[test]
fn turning_limits_of_an_agent_hold_for_all_its_behaviors() {
    let limits = AngularLimits { max_rate: 1.5, max_accel: 3.0 };
    let look_back = Align::to_angle(3.0);
    let both = (look_back, Face::new(Vec2::new(-99.0, 14.1)), Arbitration::WeightedSum);
    for [rate, change, past] in [turn(limits, look_back), turn(limits, both)] {
        assert!((1.4..1.501).contains(&rate), "{rate}");
        assert!((2.9..3.001).contains(&change), "{change}");
        assert!(past < 0.05, "swings past by {past}");
    }
    let mut sim = Sim::new();
    let spin = AngularVelocity(Vec3::Z * 9.0);
    let agent = sim.spawn((Vehicle::default(), limits, spin));
    sim.run(1.0);
    let left = sim.get::<AngularVelocity>(agent).z;
    assert!((left - 6.0).abs() < 0.1, "a hit decays too: {left}");
}

#[test]
fn time_to_target_replaces_the_response() {
    // The share of its change that an agent has made after half a second.
    let matched = |time: Option<f32>| {
        let mut sim = Sim::new();
        let leader = sim.spawn((Transform::default(), Velocity(Vec3::X * 4.0)));
        let vehicle = Vehicle::new(5.0).with_max_force(1e3).with_response(0.5);
        let follow = MatchVelocity::new(leader).with_time_to_target(time);
        let agent = sim.spawn((vehicle, follow));
        sim.run(0.5);
        sim.velocity(agent).x / 4.0
    };
    assert!((matched(None) - 0.63).abs() < 0.02, "{}", matched(None));
    assert!((matched(Some(2.0)) - 0.22).abs() < 0.02, "{}", matched(Some(2.0)));
    assert!(matched(Some(0.05)) > 0.99 && matched(Some(0.0)) > 0.99);

    let turned = |time_to_target: Option<f32>| {
        let mut sim = Sim::new();
        let limits = TurnLimits { time_to_target, max_accel: 1e3, ..default() };
        let agent = sim.spawn((Vehicle::default(), Align::to_angle(3.0).with_limits(limits)));
        sim.run(0.2);
        sim.get::<AngularVelocity>(agent).z
    };
    assert!(turned(Some(0.5)) < 0.5 * turned(None) && turned(Some(0.02)) > turned(None));
}

#[test]
fn arrive_with_a_time_to_target_does_not_overshoot() {
    let mut speeds = Vec::new();
    for time in [None, Some(0.02), Some(1.0)] {
        let mut sim = Sim::new();
        let arrive = Arrive::new(Vec2::X * 15.0).with_time_to_target(time);
        let agent = sim.spawn((Vehicle::default(), arrive));
        sim.run(0.25);
        speeds.push(sim.velocity(agent).x);
        let mut farthest = 0.0_f32;
        sim.run_with(15.0, |world| {
            farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
        });
        assert!(farthest < 15.11 && sim.position(agent).x > 14.89, "{time:?}: {farthest}");
    }
    assert!(speeds[1] >= speeds[0] && speeds[2] < 0.5 * speeds[0], "{speeds:?}");
}
