//! `AvoidObstacles`: what it wishes, tick by tick.

use bevy::prelude::*;
use bevy_steer::{Memory, Passing, Velocity, prelude::*};

use crate::common::{Sim, at, strong};

/// What an agent at the origin requests that sees one obstacle.
fn wish(avoid: AvoidObstacles, velocity: Vec3, obstacle: impl Bundle) -> Vec3 {
    let mut sim = Sim::without_motion();
    sim.spawn(obstacle);
    let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(velocity)));
    sim.tick();
    sim.wish(agent)
}

#[test]
fn a_standing_agent_avoids_an_approaching_obstacle() {
    let avoid = AvoidObstacles::default().with_look_ahead(3.0);
    let comer = |x| (Obstacle::sphere(1.0), at(x, 0.2), Velocity(Vec3::X * -10.0));
    assert!(wish(avoid, Vec3::ZERO, comer(29.0)).y < 0.0);
    assert_eq!(wish(avoid, Vec3::ZERO, comer(33.0)), Vec3::ZERO);
}

#[test]
fn small_corrections_are_gentle() {
    let avoid = AvoidObstacles::default().with_look_ahead(5.0).with_brake(0.0);
    let aside = |y| wish(avoid, Vec3::X * 5.0, (Obstacle::sphere(2.0), at(20.0, y))).y;
    let (near, far) = (aside(-0.5), aside(-1.5));
    // Of the clearance of 2.75 units 2.25 and 1.25 are missing, in about three and a half seconds
    // less the response.
    assert!((near - 0.66).abs() < 0.03 && (far - 0.36).abs() < 0.03, "{near} {far}");
    assert_eq!(aside(-2.8), 0.0);
}

#[test]
fn the_margin_is_left_in_proportion_to_the_depth() {
    // Its body reaches 0.5 units, its margin 0.25 more.
    let rock = || (Obstacle::sphere(2.0), at(-2.625, 0.0));
    let avoid = AvoidObstacles::default();
    let out = wish(avoid, Vec3::ZERO, rock());
    assert!((out.x - 2.5).abs() < 1e-3, "{out}");
    // Six tenths of its top speed.
    assert!((out.y.abs() - 3.0).abs() < 1e-3, "along the surface, so that it comes round: {out}");
    assert_eq!(wish(avoid, Vec3::X * 3.0, rock()).x, 0.0, "it is on its way already");
}

#[test]
fn the_first_collision_counts_not_the_nearest_obstacle() {
    for (ahead, first) in [(1.0, 0), (1.0, 1), (-1.0, 0), (-1.0, 1)] {
        let mut sim = Sim::without_motion();
        let rock = (at(20.0 * ahead, -0.5), Velocity(Vec3::ZERO));
        let comer = (at(30.0 * ahead, 0.5), Velocity(Vec3::X * -10.0 * ahead));
        for i in [first, 1 - first] {
            sim.spawn((Obstacle::sphere(1.0), [rock, comer][i]));
        }
        let avoid = AvoidObstacles::default().with_look_ahead(5.0);
        let agent =
            sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X * 5.0 * ahead)));
        sim.tick();
        // The comer is here in two seconds, and the other one in four.
        assert!(sim.wish(agent).y < 0.0, "{ahead} {first}: {}", sim.wish(agent));
    }
}

/// What an agent requests that has chosen to pass an obstacle on the side of `y`, and what it
/// remembers then.
fn wish_remembering(y: f32, velocity: Vec3, obstacle: impl Bundle) -> (Vec3, Passing) {
    let mut sim = Sim::without_motion();
    let obstacle = sim.spawn(obstacle);
    let passing = Passing { obstacle: Some(obstacle), side: Vec3::Y * y, ..default() };
    let passing = Memory([passing, Passing::default()]);
    let avoid = AvoidObstacles { passing, ..AvoidObstacles::default().with_look_ahead(4.0) };
    let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(velocity)));
    sim.tick();
    let remembers = sim.get::<AvoidObstacles>(agent).passing[0];
    (sim.wish(agent), remembers)
}

#[test]
fn head_on_agents_alternate_sides() {
    let sides = |y| {
        let mut sim = Sim::without_motion();
        sim.spawn((Obstacle::sphere(2.0), at(10.0, y)));
        let avoid =
            || (strong(5.0), AvoidObstacles::default(), WhenIdle::Coast, Velocity(Vec3::X * 8.0));
        let agents = [sim.spawn(avoid()), sim.spawn(avoid())];
        sim.tick();
        agents.map(|agent| sim.wish(agent).y > 0.0)
    };
    // The clearance is 2.75 units, a tenth of which is as good as straight.
    assert_eq!(sides(0.2), [true, false]);
    assert_eq!(sides(-0.2), [true, false]);
    assert_eq!(sides(0.4), [false, false]);
    assert_eq!(sides(-0.4), [true, true]);
}

#[test]
fn the_passing_side_has_hysteresis() {
    let rock = |y| (Obstacle::sphere(2.0), at(10.0, y));
    let towards = |y| wish_remembering(1.0, Vec3::X * 5.0, rock(y));
    // Half the clearance is 1.375 units.
    let (kept, remembers) = towards(1.2);
    assert!(kept.y > 0.0 && remembers.side.distance(Vec3::Y) < 1e-6, "{kept} {remembers:?}");
    let (changed, remembers) = towards(1.6);
    assert!(changed.y < 0.0 && remembers.side.distance(-Vec3::Y) < 1e-6, "{changed} {remembers:?}");
    assert!(towards(-1.6).0.y > 0.0, "the path is where it wants to pass");
}

#[test]
fn a_passed_obstacle_is_remembered_for_a_moment() {
    for (x, y) in [(-10.0, 0.0), (10.0, 3.0)] {
        let passed = (Obstacle::sphere(2.0), at(x, y));
        let (wish, remembers) = wish_remembering(1.0, Vec3::X * 5.0, passed);
        assert_eq!((wish, remembers.side), (Vec3::ZERO, Vec3::Y), "not at once");
    }
}

#[test]
fn a_touching_agent_slides_along_in_its_direction() {
    // A quarter into the margin, so at three tenths of its speed.
    let rock = || (Obstacle::sphere(2.0), at(-2.6875, 0.0));
    let slide = |velocity| wish_remembering(1.0, velocity, rock()).0.y;
    assert!((slide(Vec3::ZERO) - 1.5).abs() < 1e-3);
    assert!((slide(Vec3::Y * -0.4) - 1.9).abs() < 1e-3, "drifts too little to count");
    assert!((slide(Vec3::Y * -0.6) - -0.9).abs() < 1e-3, "goes on to the other side");
    assert_eq!(slide(Vec3::Y * -2.0), 0.0, "is as fast as that already");
    let rock_that_leaves = (rock(), Velocity(Vec3::X * -2.0));
    let (out, _) = wish_remembering(1.0, Vec3::ZERO, rock_that_leaves);
    assert!(
        out.x.abs() < 1e-3,
        "more than the one and a quarter it leaves behind by itself: {out}"
    );
}

#[test]
fn braking_grows_with_proximity_of_a_head_on_obstacle() {
    let avoid = AvoidObstacles::default().with_look_ahead(4.0).with_brake(0.8);
    // It sees twenty units of its way, of which so many are clear.
    let brake =
        |clear: f32| wish(avoid, Vec3::X * 5.0, (Obstacle::sphere(2.0), at(clear + 2.75, 0.0))).x;
    assert!((brake(10.0) - -1.0).abs() < 1e-3, "{}", brake(10.0));
    assert!((brake(5.0) - -2.25).abs() < 1e-3, "{}", brake(5.0));
    assert!((brake(18.0) - -0.04).abs() < 1e-3, "{}", brake(18.0));
    assert_eq!(brake(20.5), 0.0);
}

#[test]
fn an_obstacle_does_not_dodge_itself() {
    let mut sim = Sim::without_motion();
    let ship = (strong(5.0), AvoidObstacles::default(), Obstacle::sphere(1.0), Velocity(Vec3::X));
    let ship = sim.spawn((ship, WhenIdle::Coast));
    sim.tick();
    assert_eq!(sim.wish(ship), Vec3::ZERO);
}

#[test]
fn a_crowd_forgets_passed_obstacles() {
    let mut sim = Sim::without_motion();
    let far_behind = sim.spawn((Obstacle::sphere(2.0), at(-1000.0, 0.0)));
    let passing = Passing { obstacle: Some(far_behind), side: Vec3::Y, ..default() };
    let passing = Memory([passing, Passing::default()]);
    let avoid = AvoidObstacles { passing, ..AvoidObstacles::default() };
    let agents: Vec<Entity> = (0..20)
        .map(|_| sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X))))
        .collect();
    sim.run(0.9);
    assert_eq!(sim.get::<AvoidObstacles>(agents[0]).passing[0].side, Vec3::Y);
    sim.run(0.2);
    for agent in agents {
        assert_eq!(*sim.get::<AvoidObstacles>(agent).passing, [Passing::default(); 2]);
    }
}

#[test]
fn the_first_of_several_obstacles_is_avoided() {
    let places = [(8.0, -0.5), (14.0, 0.5), (11.0, 0.5)];
    for order in [[0, 1, 2], [1, 2, 0], [1, 0, 2]] {
        let mut sim = Sim::without_motion();
        for (x, y) in order.map(|i| places[i]) {
            sim.spawn((Obstacle::sphere(1.0), at(x, y)));
        }
        let avoid = AvoidObstacles::default().with_look_ahead(5.0);
        let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X * 5.0)));
        sim.tick();
        assert!(sim.wish(agent).y > 0.0, "{order:?}: {}", sim.wish(agent));
    }
}

#[test]
fn look_ahead_may_be_a_distance() {
    let wish = |speed: f32, avoid: AvoidObstacles| {
        let mut sim = Sim::without_motion();
        sim.spawn((Obstacle::sphere(1.0), at(9.0, 0.1)));
        let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X * speed)));
        sim.tick();
        sim.wish(agent)
    };
    let avoid = AvoidObstacles::default().with_look_ahead(1.5);
    assert_eq!(wish(1.0, avoid), Vec3::ZERO, "1.5 units");
    for speed in [1.0, 5.0] {
        assert_ne!(wish(speed, avoid.with_look_ahead_distance(Some(10.0))), Vec3::ZERO, "{speed}");
        assert_eq!(wish(speed, avoid.with_look_ahead_distance(Some(5.0))), Vec3::ZERO, "{speed}");
    }
}

#[test]
fn look_ahead_distance_is_that_to_moving_obstacles_too() {
    let wish = |own: f32, stone: f32, distance: f32| {
        let mut sim = Sim::without_motion();
        let stone = (Obstacle::sphere(1.0), Velocity(Vec3::X * stone));
        sim.spawn((stone, at(distance, 0.1)));
        let avoid = AvoidObstacles::default().with_look_ahead_distance(Some(10.0));
        let agent = sim.spawn((strong(5.0), avoid, WhenIdle::Coast, Velocity(Vec3::X * own)));
        sim.tick();
        sim.wish(agent)
    };
    // It comes towards the agent, or is overtaken.
    for (own, stone) in [(0.0, -10.0), (1.0, -10.0), (5.0, -10.0), (5.0, 1.0), (5.0, 4.0)] {
        assert_ne!(wish(own, stone, 9.0), Vec3::ZERO, "{own} {stone}");
        assert_eq!(wish(own, stone, 14.0), Vec3::ZERO, "{own} {stone}");
    }
}
