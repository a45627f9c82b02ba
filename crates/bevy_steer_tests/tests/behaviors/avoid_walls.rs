//! `AvoidWalls`: what it wishes, tick by tick.

use bevy::{math::ops, prelude::*};
use bevy_steer::{
    Feelers, Velocity,
    formulas::{WallTouch, avoid_wall},
    prelude::*,
};

use crate::{
    behaviors::URGENCY,
    common::{Sim, strong},
};

fn one_feeler() -> AvoidWalls {
    AvoidWalls::default().with_feelers(Feelers::Single)
}

/// What an agent at the origin requests that goes along `x`, with walls from point to point, all
/// turned by this angle.
fn wish_turned(avoid: AvoidWalls, velocity: Vec2, walls: &[[Vec2; 2]], angle: f32) -> Vec3 {
    let mut sim = Sim::without_motion();
    let turn = Quat::from_rotation_z(angle);
    for ends in walls {
        let [start, end] = ends.map(|end| turn * end.extend(0.0));
        sim.spawn(Wall::new(start, end));
    }
    let agent = sim.spawn((
        strong(5.0),
        avoid,
        WhenIdle::Coast,
        Velocity(turn * velocity.extend(0.0)),
        Transform::from_rotation(turn),
    ));
    sim.tick();
    turn.inverse() * sim.wish(agent)
}

fn wish(avoid: AvoidWalls, velocity: Vec2, walls: &[[Vec2; 2]]) -> Vec3 {
    wish_turned(avoid, velocity, walls, 0.0)
}

/// A wall across the way.
fn across(x: f32) -> [Vec2; 2] {
    [Vec2::new(x, -9.0), Vec2::new(x, 9.0)]
}

/// A wall along the way.
fn along(y: f32) -> [Vec2; 2] {
    [Vec2::new(-9.0, y), Vec2::new(9.0, y)]
}

#[test]
fn leaving_a_wall_is_not_held_back() {
    // Along the wall it is pushed off, at a steep angle it goes on.
    let leaving = |degrees: f32| {
        let velocity = Vec2::from_angle(-degrees.to_radians()) * 5.0;
        wish(AvoidWalls::default(), velocity, &[along(0.7)]).y
    };
    assert!(leaving(0.0) < -0.1, "{}", leaving(0.0));
    for degrees in [10.0, 20.0, 30.0, 40.0] {
        assert!(leaving(degrees) <= 0.0, "{degrees}: {}", leaving(degrees));
    }
}

#[test]
fn feeler_length_follows_speed_and_look_ahead() {
    let feels = |speed: f32, x, angle| {
        wish_turned(one_feeler(), Vec2::X * speed, &[across(x)], angle) != Vec3::ZERO
    };
    for angle in [0.0, 0.7, 1.6, 2.4, 3.1, 4.0, 4.7, 5.5] {
        // 0.8 s, and its body. Without a goal the first touches are too slight to act on.
        assert!(!feels(4.0, 3.5, angle), "{angle}");
        assert!(feels(4.0, 3.2, angle) && !feels(4.0, 3.8, angle), "{angle}");
        // An agent at rest feels three radii.
        assert!(feels(0.0, 1.4, angle) && !feels(0.0, 1.6, angle), "{angle}");
    }
    let far = one_feeler().with_look_ahead(2.0);
    assert_ne!(wish(far, Vec2::X * 4.0, &[across(6.0)]), Vec3::ZERO);
}

#[test]
fn head_on_the_agent_seeks_a_point_beside_the_wall() {
    let change = wish(one_feeler(), Vec2::X * 4.0, &[across(2.0)]);
    // Two radii off. Nearly half of the feeler is in the wall, and the first agent goes to the left
    // of what faces it.
    let touch = WallTouch { hit: Vec3::X * 2.0, normal: Vec3::NEG_X, sideways: Vec3::NEG_Y };
    let off = avoid_wall(Vec3::X * 4.0, touch, 1.0, 5.0);
    let expected = off * (1.0 - 2.0 / 3.7);
    assert!((change - expected).length() < 1e-3, "{change} {expected}");
}

#[test]
fn the_sideways_part_depends_on_angle_and_speed() {
    // A wall at thirty degrees, 1.4 units ahead.
    let (sin, cos) = ops::sin_cos(30_f32.to_radians());
    let (tangent, normal) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
    let there = Vec2::X * 1.4;
    let wall = [there - tangent * 9.0, there + tangent * 9.0];
    for speed in [0.5_f32, 2.5, 5.0] {
        let feeler = (speed * 0.8).max(1.0) + 0.5;
        let change = wish(one_feeler(), Vec2::X * speed, &[wall]);
        let normal = if normal.x > 0.0 { -normal } else { normal };
        let [hit, out, on] = [there, normal, tangent].map(|vector| vector.extend(0.0));
        let off =
            avoid_wall(Vec3::X * speed, WallTouch { hit, normal: out, sideways: on }, 1.0, 5.0);
        let share = 1.0 - cos * speed / 5.0;
        let expected = off.dot(on) * share * (1.0 - 1.4 / feeler);
        assert!((change.dot(on) - expected).abs() < 1e-3, "{speed}: {change} {expected}");
    }
}

#[test]
fn parallel_agents_pass_and_overlapping_agents_leave_the_wall() {
    // Its body ends at 0.525.
    let beside = |y, speed| wish(one_feeler(), Vec2::X * speed, &[along(y)]);
    for y in [0.65, 0.8, -0.65, -0.8] {
        assert_eq!(beside(y, 4.0), Vec3::ZERO, "{y}");
        assert_eq!(beside(y, 0.0), Vec3::ZERO, "{y}");
    }
    // A fortieth of a unit too near, to be out in its response of a tenth of a second: it gets that
    // speed in a tick, and a wish is made in 6.4.
    for (y, out) in [(0.5, -0.25), (-0.5, 0.25)] {
        for speed in [0.0, 4.0] {
            let change = beside(y, speed);
            assert!((change - Vec3::Y * out * 6.4).length() < 1e-3, "{y} {speed}: {change}");
        }
    }
}

#[test]
fn agents_stop_before_walls_that_they_do_not_feel() {
    // The wall ends before the place where it would be run into.
    let nearest = |walls: AvoidWalls| {
        let mut sim = Sim::new();
        sim.spawn(Wall::new(Vec2::new(-5.0, -2.0), Vec2::new(2.2, -2.0)));
        let down = sim.push(Vec3::NEG_Y * 5.0);
        let agent = sim.spawn((Vehicle::default(), walls.with_look_ahead(0.0), down));
        sim.run(3.0);
        sim.position(agent).y
    };
    let y = nearest(one_feeler());
    assert!(y > -1.5 && y < -1.4, "it stands before the wall: {y}");
    assert!(nearest(one_feeler().disabled()) < -5.0);
}

#[test]
fn slanted_approaches_are_braked() {
    // 0.3 units of room take a tenth of a second at three units a second.
    let slantwise = |down: f32| wish(one_feeler(), Vec2::new(0.3, -down), &[along(-0.9)]).y;
    assert!(slantwise(4.0) >= 1.0 * URGENCY - 1e-3, "{}", slantwise(4.0));
    assert!(slantwise(4.0) > slantwise(2.0));
}

#[test]
fn whiskers_feel_walls_beside_the_middle_feeler() {
    // They end 1.25 units beside the way.
    for y in [0.7, -0.7] {
        let velocity = Vec2::X * 4.0;
        assert_eq!(wish(one_feeler(), velocity, &[along(y)]), Vec3::ZERO);
        let change = wish(AvoidWalls::default(), velocity, &[along(y)]);
        assert!(change.y * y < -0.1, "{y}: {change}");
        assert_eq!(wish(AvoidWalls::default(), velocity, &[along(1.9 * y)]), Vec3::ZERO);
    }
}

#[test]
fn the_deepest_feeler_hit_counts() {
    let velocity = Vec2::X * 4.0;
    let (near, far) = (across(2.0), across(3.0));
    let alone = wish(one_feeler(), velocity, &[near]);
    assert_eq!(wish(one_feeler(), velocity, &[near, far]), alone);
    assert_eq!(wish(one_feeler(), velocity, &[far, near]), alone);
    for side in [1.0, -1.0] {
        let deep = wish(AvoidWalls::default(), velocity, &[along(0.8 * side)]);
        let both = wish(AvoidWalls::default(), velocity, &[along(0.8 * side), along(-1.1 * side)]);
        assert_eq!(both, deep, "{side}");
    }
}

#[test]
fn walls_are_felt_in_every_plane() {
    for plane in SteeringPlane::ALL {
        let mut sim =
            Sim::with(SteeringPlugin::new(Update).with_plane(plane).without_integration(), 64.0);
        let ahead = plane.forward();
        let side = if plane == SteeringPlane::Xy { Vec3::Y } else { ahead.cross(Vec3::Y) };
        // Two walls ahead and behind, of which only the first is in its way.
        for distance in [2.0, -2.0] {
            let middle = ahead * distance + side;
            sim.spawn(Wall::new(middle - side * 5.0, middle + side * 5.0));
        }
        let agent = sim.spawn((strong(5.0), one_feeler(), WhenIdle::Coast, Velocity(ahead * 4.0)));
        sim.tick();
        let change = sim.wish(agent);
        // As in `straight_ahead_it_seeks_the_point_off_the_wall_and_to_its_side`.
        assert!(change.dot(ahead) < -0.2, "{plane:?}: {change}");
        assert!((change.length() - 1.638).abs() < 1e-2, "{plane:?}: {change}");
    }
}

#[test]
fn a_clone_equals_the_original() {
    let narrow = Feelers::Whiskers { angle: 0.2, length: 0.3 };
    let original = AvoidWalls::default().with_feelers(narrow).with_look_ahead(0.3).with_margin(6.0);
    #[allow(clippy::clone_on_copy, reason = "it is the clone that is asked about")]
    let copy = original.clone();
    assert_eq!(copy, original);
    assert_ne!(copy, AvoidWalls::default());
}
