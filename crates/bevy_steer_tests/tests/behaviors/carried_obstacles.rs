//! Obstacles and walls that are children of what moves: agents see them move with it.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, ObstacleIndex, Velocity, prelude::*};

use crate::common::{Sim, at};

/// The velocity of the one obstacle or wall.
fn seen(sim: &Sim) -> Vec3 {
    let index = sim.app.world().resource::<ObstacleIndex>();
    index.iter().next().expect("an obstacle").velocity
}

#[test]
fn what_is_carried_moves_as_its_parents_do() {
    let carried: [fn(&mut EntityWorldMut); 2] = [
        |entity| _ = entity.insert(Obstacle::sphere(1.0)),
        |entity| _ = entity.insert(Wall::new(Vec2::ZERO, Vec2::X)),
    ];
    for carry in carried {
        let mut sim = Sim::new();
        let quarter = Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
        let platform = Transform::from_xyz(50.0, 0.0, 0.0).with_rotation(quarter);
        let spin = AngularVelocity(Vec3::Z * 2.0);
        let platform = sim.spawn((platform, Velocity(Vec3::X * 3.0), spin));
        let own = Velocity(Vec3::X);
        let carried = sim.spawn((at(0.0, 10.0), own, ChildOf(platform)));
        carry(&mut sim.app.world_mut().entity_mut(carried));
        sim.tick();
        // It is at (-10, 0) of the platform's turned frame, and its own velocity turns too.
        let expected = Vec3::new(3.0, 1.0 - 20.0, 0.0);
        assert!(seen(&sim).distance(expected) < 1e-4, "{}", seen(&sim));
    }
}

#[test]
fn what_is_carried_is_seen_where_it_goes() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::new(0.0, 1e4));
    let tank = sim.spawn((Vehicle::new(8.0), seek, Velocity(Vec3::Y * 8.0)));
    let shield = sim.spawn((Obstacle::sphere(1.0), at(0.0, 5.0), ChildOf(tank)));
    let place = |sim: &Sim| {
        let index = sim.app.world().resource::<ObstacleIndex>();
        let shield = index.iter().find(|one| one.entity == shield).expect("it is there");
        (shield.position, shield.velocity)
    };
    sim.run(0.5);
    let (before, velocity) = place(&sim);
    sim.tick();
    let (after, _) = place(&sim);
    assert!(((after - before) * sim.hz).distance(velocity) < 0.1, "{velocity}");
    assert!(velocity.y > 7.0, "{velocity}");
}

#[test]
fn an_agent_makes_way_for_a_carried_obstacle_that_comes() {
    let passes = |is_carried: bool| {
        let mut sim = Sim::new();
        let goal = Seek::new(Vec2::new(1e4, 0.0));
        let body = Vehicle::new(5.0).with_radius(0.5);
        let agent = sim.spawn((body, goal, AvoidObstacles::default()));
        let velocity = Velocity(Vec3::X * -10.0);
        let stone = Obstacle::sphere(1.5);
        let truck = if is_carried {
            let truck = sim.spawn((at(31.0, 0.3), velocity));
            sim.spawn((stone, at(-1.0, 0.0), ChildOf(truck)));
            truck
        } else {
            sim.spawn((stone, at(30.0, 0.3), velocity))
        };
        let mut gap = f32::INFINITY;
        for _ in 0..(3.0 * sim.hz) as usize {
            sim.tick();
            let step = velocity.0 / sim.hz;
            sim.get_mut::<Transform>(truck).translation += step;
            let offset = if is_carried { Vec3::X * -1.0 } else { Vec3::ZERO };
            let stone = sim.position(truck) + offset;
            gap = gap.min(sim.position(agent).distance(stone) - 2.0);
        }
        gap
    };
    let (root, child) = (passes(false), passes(true));
    assert!(root > -0.05 && (root - child).abs() < 0.05, "{root} {child}");
}

/// The angular velocity of a gate, in radians a second.
const SWING: f32 = 1.0;

/// A long box or wall that turns about its middle, or is carried by what turns. Returns what turns.
fn gate(sim: &mut Sim, gate: impl Bundle, is_carried: bool) -> Entity {
    let spin = AngularVelocity(Vec3::Z * SWING);
    let gate = sim.spawn((gate, at(0.0, 0.0)));
    let turns = if is_carried { sim.spawn((at(0.0, 0.0), spin)) } else { gate };
    let world = sim.app.world_mut();
    if is_carried {
        world.entity_mut(gate).insert(ChildOf(turns));
    } else {
        world.entity_mut(gate).insert(spin);
    }
    turns
}

/// The smallest distance of an agent from the middle line of a gate that turns towards it.
fn least_distance(swinging: impl Bundle, avoids: impl Bundle, is_carried: bool) -> f32 {
    let mut sim = Sim::new();
    let turns = gate(&mut sim, swinging, is_carried);
    let body = Vehicle::new(12.0).with_radius(0.5);
    let agent = sim.spawn((body, avoids, at(5.0, 2.0)));
    let mut least = f32::INFINITY;
    for _ in 0..sim.hz as usize {
        let step = Quat::from_rotation_z(SWING / sim.hz);
        let mut transform = sim.get_mut::<Transform>(turns);
        transform.rotation *= step;
        let along = transform.rotation * Vec3::X;
        sim.tick();
        let place = sim.position(agent);
        // The agent starts on the left of the gate. Beyond the end of the gate nothing pushes it.
        if along.dot(place) < 8.0 {
            least = least.min(along.cross(place).z);
        }
    }
    least
}

#[test]
fn what_turns_pushes_agents_ahead_of_it() {
    let (obstacles, walls) = (AvoidObstacles::default, AvoidWalls::default);
    for is_carried in [false, true] {
        let bar = Obstacle::rect(Vec2::new(16.0, 0.5));
        let wall = || Wall::new(Vec2::X * -8.0, Vec2::X * 8.0);
        // Half the width of the bar does not count.
        let gaps = [
            least_distance(bar, obstacles(), is_carried) - 0.25,
            least_distance(wall(), walls(), is_carried),
            least_distance(wall(), (walls(), obstacles()), is_carried),
            least_distance(bar, AvoidAgents::default(), is_carried) - 0.25,
            least_distance(wall(), AvoidAgents::default(), is_carried),
            least_distance(wall(), (AvoidAgents::default(), ThinkEvery(4)), is_carried),
        ];
        assert!(gaps.iter().all(|gap| (0.45..1.5).contains(gap)), "{is_carried}: {gaps:?}");
    }
}

#[test]
fn each_part_of_what_turns_has_its_velocity() {
    for is_carried in [false, true] {
        let mut sim = Sim::new();
        gate(&mut sim, Wall::new(Vec2::X * -8.0, Vec2::X * 8.0), is_carried);
        sim.tick();
        let index = sim.app.world().resource::<ObstacleIndex>();
        let gate = index.iter().next().expect("a gate");
        assert_eq!((gate.velocity, gate.spin), (Vec3::ZERO, Vec3::Z * SWING));
        assert_eq!(gate.velocity_at(Vec3::X * 8.0), Vec3::Y * 8.0 * SWING);
    }
}
