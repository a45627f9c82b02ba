//! `AvoidAgents`: what it wishes, tick by tick.

use bevy::prelude::*;
use bevy_steer::{
    SteeringSettings, SteeringTrace, Velocity,
    formulas::{Encounter, velocity_obstacle},
    prelude::*,
};

use crate::{
    URGENCY,
    common::{Sim, at, strong},
};

/// Limits are met in half steps, all but this share.
const LEFT: f32 = 0.02;

/// What two agents at these places and velocities wish, that avoid each other like this.
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
    // Its own room of 0.75 units, and the other's body.
    let offset = Vec3::new(-5.0, -0.7, 0.0);
    let encounter = Encounter { offset, relative: Vec3::X * 5.0, room: 1.25 };
    let (away, missing) = velocity_obstacle(SteeringPlane::Xy, encounter, 1.5, 0.1);
    assert!(missing > 0.5);
    let (expected, others) = (away * missing * 0.4 * URGENCY, -away * missing * 0.6 * URGENCY);
    assert!((one - expected).length() < LEFT * expected.length(), "{one} {expected}");
    assert!((other - others).length() < LEFT * others.length(), "{other} {others}");
}

#[test]
fn overlapping_agents_part_within_the_response_time() {
    let both = [(Vec2::ZERO, Vec2::ZERO), (Vec2::new(0.0, 1.0), Vec2::ZERO)];
    let wishes = wishes(AvoidAgents::default(), strong(5.0), both);
    // A quarter of a unit in a tenth of a second; one does two fifths of it and the other three.
    let [less, more] = if wishes[0].length() < wishes[1].length() { [0, 1] } else { [1, 0] };
    let share = |agent: usize| wishes[agent].length() / URGENCY;
    assert!(
        (share(less) - 1.0).abs() < LEFT && (share(more) - 1.5).abs() < LEFT * 1.5,
        "{wishes:?}"
    );
    assert!(wishes[0].y < 0.0 && wishes[1].y > 0.0);
}

#[test]
fn slow_agents_look_ahead_by_closing_speed() {
    // They come nearer by 1.8 units a second, and see what will be in a second and a half.
    let towards = |distance: f32| {
        let both = [(Vec2::ZERO, Vec2::X * 0.9), (Vec2::X * distance, Vec2::X * -0.9)];
        wishes(AvoidAgents::default(), strong(5.0), both)[0]
    };
    assert_ne!(towards(3.8), Vec3::ZERO);
    assert_eq!(towards(4.1), Vec3::ZERO);
}

#[test]
fn weak_agents_look_as_far_ahead_as_strong_ones() {
    let weak = Vehicle::new(5.0).with_max_force(0.1);
    for (distance, speed) in [(2.0, 0.7), (1.5, 0.4), (3.0, 1.4), (8.0, 4.8)] {
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
fn radius_and_horizon_limit_which_agents_are_avoided() {
    let passing = |avoid, y| {
        let both = [(Vec2::ZERO, Vec2::X * 4.0), (Vec2::new(5.0, y), Vec2::ZERO)];
        wishes(avoid, strong(5.0), both)[0] != Vec3::ZERO
    };
    let avoid = AvoidAgents::default();
    assert!(passing(avoid, 1.2) && !passing(avoid, 1.3));
    let roomy = avoid.with_radius(3.0);
    assert!(passing(roomy, 1.9) && !passing(roomy, 2.1));
    // Three and three quarters of a unit are left.
    assert!(passing(avoid.with_horizon(1.0), 0.1) && !passing(avoid.with_horizon(0.9), 0.1));
    assert!(
        !passing(avoid.with_horizon(0.0), 0.1),
        "without a horizon only overlapping agents are avoided"
    );
}

#[test]
fn weak_agents_ask_for_at_most_two_responses_of_force() {
    // It can change its velocity by one unit a second in its response.
    let vehicle =
        Vehicle { mass: 1.0, max_speed: 5.0, max_force: 10.0, radius: 0.5, response: 0.1 };
    let mut sim = Sim::without_motion();
    let avoid = AvoidAgents::default();
    let trace = SteeringTrace::default();
    let agent = sim.spawn((vehicle, avoid, trace, Velocity(Vec3::X * 5.0)));
    sim.spawn((vehicle, at(1.3, 0.0)));
    sim.tick();
    let asked = sim.get::<SteeringTrace>(agent).iter().next().unwrap().correction;
    assert!((asked.length() - 2.0).abs() < 1e-3, "{asked}");
}

#[test]
fn agents_are_not_avoided_into_a_wall() {
    let dodge = |wall: bool| {
        let mut sim = Sim::without_motion();
        let avoid = AvoidAgents::default();
        let motion = (at(0.0, 0.0), Velocity(Vec3::X * 4.0));
        let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, motion));
        sim.spawn((strong(5.0), at(4.0, 0.5)));
        if wall {
            sim.spawn(Wall::new(Vec2::new(-9.0, -0.61), Vec2::new(9.0, -0.61)));
        }
        sim.tick();
        sim.wish(agent)
    };
    let (free, beside_a_wall) = (dodge(false), dodge(true));
    assert!(free.y < -0.8, "{free}");
    // Its body ends a hundredth of a unit before the wall, for which it has a tenth of a second.
    assert!(beside_a_wall.y >= -0.1 * URGENCY - 1e-3, "{beside_a_wall}");
    assert!(beside_a_wall.x < free.x - 0.1, "it brakes instead: {beside_a_wall} {free}");
}

#[test]
fn avoiding_agents_hardly_speeds_up_towards_a_surface() {
    // The change of velocity across, in a third of the response, of an agent that avoids another
    // one.
    let dodge = |plane: SteeringPlane, down: f32, surface: Option<(f32, f32)>| {
        let mut sim = Sim::without_motion();
        sim.app.world_mut().resource_mut::<SteeringSettings>().plane = plane;
        let quick = strong(99.0).with_radius(0.5);
        let place = (at(0.0, 0.0), Velocity(Vec3::new(40.0, -down, 0.0)));
        let agent = sim.spawn((quick, AvoidAgents::default(), WhenIdle::Coast, place));
        sim.spawn((quick, at(1.6, 0.6 - down * 0.04)));
        if let Some((gap, speed)) = surface {
            let below = (at(0.0, -gap - 1.0), Velocity(Vec3::Y * speed));
            sim.spawn((Obstacle::sphere(1.0), below));
        }
        sim.tick();
        sim.wish(agent).y / URGENCY
    };
    // Its body ends at 0.6. For four tenths of a unit it has a tenth of a second: it may come
    // nearer at four units a second.
    for (gap, down, speed, spare) in
        [(1.0, 2.0, 0.0, 2.0), (1.0, -1.0, 0.0, 5.0), (1.0, 2.0, 1.5, 0.5), (1.2, 2.0, 0.0, 4.0)]
    {
        for plane in [SteeringPlane::Xy, SteeringPlane::Free] {
            let free = dodge(plane, down, None);
            let bound = dodge(plane, down, Some((gap, speed)));
            assert!(free < -spare - 0.5, "it would go {free}");
            assert!((bound + spare).abs() < 0.05, "{plane:?} {gap} {down} {speed}: {bound}");
        }
    }
}

#[test]
fn right_of_way_rotates_only_between_overlapping_agents() {
    // Which of the two does less changes every 64 ticks.
    let first_does_less = |distance: f32| -> Vec<bool> {
        let mut sim = Sim::without_motion();
        let agents = [0.0, distance].map(|x| {
            let velocity = Velocity(Vec3::X * if x == 0.0 { 2.0 } else { -2.0 });
            let avoid = (AvoidAgents::default(), WhenIdle::Coast);
            sim.spawn((strong(5.0), avoid, at(x, 0.0), velocity))
        });
        let mut turn = || {
            sim.run(1.0);
            let [one, other] = agents.map(|agent| sim.wish(agent).length());
            one < other
        };
        (0..12).map(|_| turn()).collect()
    };
    assert_eq!(first_does_less(3.0), [true; 12], "the lower number");
    let near = first_does_less(0.9);
    assert!(near.contains(&true) && near.contains(&false), "{near:?}");
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
