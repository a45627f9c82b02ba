//! `AvoidAgents`: what it wishes, tick by tick.

use bevy::prelude::*;
use bevy_steer::{
    SteeringSettings, Velocity,
    formulas::{RelativeMotion, velocity_obstacle},
    prelude::*,
};

use crate::{
    behaviors::URGENCY,
    common::{Sim, at, strong},
};

/// A soft limit gives way to the request by one part in fifteen: it weighs fourteen times as much.
const KEPT: f32 = 14.0 / 15.0;

/// How exactly the permitted velocity is found.
const LEFT: f32 = 0.02;

/// What two agents at these places and velocities request, that avoid each other like this.
fn wishes(avoid: AvoidAgents, vehicle: Vehicle, both: [(Vec2, Vec2); 2]) -> [Vec3; 2] {
    let mut sim = Sim::without_motion();
    let agents = both.map(|(place, velocity)| {
        let motion = (at(place.x, place.y), Velocity(velocity.extend(0.0)));
        sim.spawn((vehicle, avoid, WhenIdle::Coast, motion))
    });
    sim.tick();
    agents.map(|agent| sim.wish(agent))
}

#[test]
fn avoiding_agents_share_the_correction() {
    let both = [(Vec2::ZERO, Vec2::X * 4.0), (Vec2::new(5.0, 0.7), Vec2::X * -1.0)];
    let [one, other] = wishes(AvoidAgents::default(), strong(5.0), both);
    // Its own room of 0.625 units, and the other's body.
    let offset = Vec3::new(-5.0, -0.7, 0.0);
    let motion = RelativeMotion { offset, velocity: Vec3::X * 5.0, room: 1.125 };
    let (away, missing) = velocity_obstacle(SteeringPlane::Xy, motion, 1.5, 0.1);
    assert!(missing > 0.4);
    let expected = away * missing * 0.5 * URGENCY * KEPT;
    assert!((one - expected).length() < LEFT * expected.length(), "{one} {expected}");
    assert!((other + expected).length() < LEFT * expected.length(), "{other} {expected}");
}

#[test]
fn overlapping_agents_part_within_the_response_time() {
    let both = [(Vec2::ZERO, Vec2::ZERO), (Vec2::new(0.0, 1.0), Vec2::ZERO)];
    let wishes = wishes(AvoidAgents::default(), strong(5.0), both);
    // An eighth of a unit in a tenth of a second; each does half of it.
    let expected = Vec3::Y * 0.625 * URGENCY * KEPT;
    assert!((wishes[0] + expected).length() < LEFT * expected.length(), "{wishes:?}");
    assert!((wishes[1] - expected).length() < LEFT * expected.length(), "{wishes:?}");
}

#[test]
fn slow_agents_look_ahead_by_closing_speed() {
    // They come nearer by 1.8 units a second. With 2.6 units between them they look ahead by four
    // responses and the time that twice the gap takes at top speed: 1.43 seconds.
    let towards = |distance: f32| {
        let both = [(Vec2::ZERO, Vec2::X * 0.9), (Vec2::X * distance, Vec2::X * -0.9)];
        wishes(AvoidAgents::default(), strong(5.0), both)[0]
    };
    assert_ne!(towards(3.6), Vec3::ZERO);
    assert_eq!(towards(3.8), Vec3::ZERO);
}

#[test]
fn weak_agents_look_as_far_ahead_as_strong_ones() {
    let weak = Vehicle::new(5.0).with_max_force(0.1);
    for (distance, speed) in [(2.0, 1.4), (1.5, 0.9), (3.0, 2.0), (8.0, 4.8)] {
        for vehicle in [weak, strong(5.0)] {
            let both = [(Vec2::ZERO, Vec2::X * speed), (Vec2::X * distance, Vec2::ZERO)];
            let [one, _] = wishes(AvoidAgents::default(), vehicle, both);
            assert_ne!(one, Vec3::ZERO, "{distance} {speed} {vehicle:?}");
            let both = [(Vec2::ZERO, Vec2::X * -speed), (Vec2::X * distance, Vec2::ZERO)];
            assert_eq!(wishes(AvoidAgents::default(), vehicle, both), [Vec3::ZERO; 2]);
        }
    }
}

#[test]
fn radius_and_look_ahead_limit_which_agents_are_avoided() {
    let passing = |avoid, y| {
        let both = [(Vec2::ZERO, Vec2::X * 4.0), (Vec2::new(5.0, y), Vec2::ZERO)];
        wishes(avoid, strong(5.0), both)[0] != Vec3::ZERO
    };
    let avoid = AvoidAgents::default();
    assert!(passing(avoid, 1.05) && !passing(avoid, 1.2));
    let roomy = avoid.with_margin(2.0);
    assert!(passing(roomy, 1.9) && !passing(roomy, 2.1));
    // 3.87 units are left.
    assert!(passing(avoid.with_look_ahead(1.0), 0.1) && !passing(avoid.with_look_ahead(0.93), 0.1));
    assert!(
        !passing(avoid.with_look_ahead(0.0), 0.1),
        "without look-ahead only overlapping agents are avoided"
    );
}

#[test]
fn avoiding_takes_no_more_than_the_largest_force() {
    let vehicle = Vehicle::default().with_max_force(10.0);
    let mut sim = Sim::without_motion();
    let agent = sim.spawn((vehicle, AvoidAgents::default(), Velocity(Vec3::X * 5.0)));
    sim.spawn((vehicle, at(1.3, 0.0)));
    sim.tick();
    let force = sim.get::<SteeringForce>(agent).linear.length();
    assert!((force - 10.0).abs() < 1e-3, "{force}");
}

/// How far an agent gets to the right of its way that avoids another one and is beside this.
fn dodge(plane: SteeringPlane, beside: impl Bundle) -> f32 {
    let mut sim = Sim::new();
    sim.app.world_mut().resource_mut::<SteeringSettings>().plane = plane;
    let (goal, way) = (Seek::new(Vec2::new(40.0, 0.0)), Velocity(Vec3::X * 4.0));
    let agent = sim.spawn((Vehicle::default(), AvoidAgents::default(), goal, way));
    sim.spawn((Vehicle::default(), at(5.0, 0.6)));
    sim.spawn(beside);
    let mut lowest = 0.0_f32;
    sim.run_with(3.0, |world| {
        lowest = lowest.min(world.get::<Transform>(agent).unwrap().translation.y);
    });
    lowest
}

#[test]
fn agents_are_not_avoided_into_surfaces() {
    let wall = Wall::new(Vec2::new(-9.0, -0.7), Vec2::new(19.0, -0.7));
    let rail = (Obstacle::cuboid(Vec3::new(14.0, 1.0, 9.0)), at(5.0, -1.2));
    // A twentieth of a radius is kept clear.
    assert!(dodge(SteeringPlane::Xy, wall) > -0.18);
    for plane in [SteeringPlane::Xy, SteeringPlane::Free] {
        let [free, rail] = [dodge(plane, ()), dodge(plane, rail)];
        assert!(free < -0.4 && rail > -0.18, "{plane:?}: {free} {rail}");
    }
}

#[test]
fn idle_agents_step_aside_and_come_back() {
    let mut sim = Sim::new();
    let idler = sim.spawn((Vehicle::default(), AvoidAgents::default(), at(0.0, 0.2)));
    let goal = Arrive::new(Vec2::new(12.0, 0.0));
    let walker = sim.spawn((Vehicle::default(), AvoidAgents::default(), goal, at(-12.0, 0.0)));
    let (mut aside, mut least) = (0.0_f32, f32::MAX);
    sim.run_with(9.0, |world| {
        let [idler, walker] =
            [idler, walker].map(|agent| world.get::<Transform>(agent).unwrap().translation);
        aside = aside.max(idler.distance(Vec3::Y * 0.2));
        least = least.min(idler.distance(walker));
    });
    assert!(aside > 0.4, "it made way: {aside}");
    assert!(least > 0.995, "they did not touch: {least}");
    let place = sim.position(idler);
    assert!(place.distance(Vec3::Y * 0.2) < 0.05, "it is back: {place}");
    assert!(sim.position(walker).distance(Vec3::X * 12.0) < 0.2);
}

#[test]
fn the_pushy_go_ahead() {
    // How far aside each of two goes that cross each other's way.
    let detours = |pushiness: f32| {
        let mut sim = Sim::new();
        let agents = [1.0, -1.0].map(|side| {
            let avoid = AvoidAgents::default().with_pushiness(pushiness * side);
            let goal = Arrive::new(Vec2::new(12.0 * side, 0.0));
            sim.spawn((Vehicle::default(), avoid, goal, at(-12.0 * side, 0.0)))
        });
        let mut aside = [0.0_f32; 2];
        sim.run_with(6.0, |world| {
            for (aside, agent) in aside.iter_mut().zip(agents) {
                *aside = aside.max(world.get::<Transform>(agent).unwrap().translation.y.abs());
            }
        });
        aside
    };
    let [one, other] = detours(0.0);
    assert!((one - other).abs() < 0.05, "{one} {other}");
    let [pushy, shy] = detours(0.5);
    assert!(shy > 1.5 * pushy, "{pushy} {shy}");
}

#[test]
fn those_that_do_not_avoid_are_avoided_by_the_others() {
    let both = [(Vec2::ZERO, Vec2::X * 4.0), (Vec2::new(5.0, 0.7), Vec2::X * -1.0)];
    let [shared, _] = wishes(AvoidAgents::default(), strong(5.0), both);
    let mut sim = Sim::without_motion();
    let [one, _] = [AvoidAgents::default(), AvoidAgents::default().disabled()]
        .into_iter()
        .zip(both)
        .map(|(avoid, (place, velocity))| {
            let motion = (at(place.x, place.y), Velocity(velocity.extend(0.0)));
            sim.spawn((strong(5.0), avoid, WhenIdle::Coast, motion))
        })
        .collect::<Vec<_>>()[..]
    else {
        panic!("two agents")
    };
    sim.tick();
    let alone = sim.wish(one);
    assert!((alone - shared * 2.0).length() < 0.05 * alone.length(), "{alone} {shared}");
}

#[test]
fn avoid_agents_ignores_other_layers() {
    let minds = |layers: u32| {
        let mut sim = Sim::without_motion();
        let avoid = AvoidAgents::default().with_layers(SteeringLayers(layers));
        let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X * 4.0)));
        sim.spawn((strong(5.0), SteeringLayers(0b10), at(4.0, 0.5)));
        sim.tick();
        sim.wish(agent) != Vec3::ZERO
    };
    assert!(minds(0b10) && minds(0b110) && !minds(0b101));
}
