//! Agents whose goal is taken by others that are at rest there.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_steer::{Path, prelude::*};

use super::modes;
use crate::common::{Sim, at, place};

#[derive(Resource, Default)]
struct Seen(Vec<Entity>);

fn world() -> Sim {
    world_in(SteeringPlane::Xy)
}

fn world_in(plane: SteeringPlane) -> Sim {
    let mut sim = Sim::in_plane(plane);
    sim.app.init_resource::<Seen>();
    sim.app.add_observer(|on: On<Arrived>, mut seen: ResMut<Seen>| seen.0.push(on.entity));
    sim.app.add_observer(|on: On<PathFinished>, mut seen: ResMut<Seen>| seen.0.push(on.entity));
    sim
}

/// They have all arrived once after this time, and are at rest from then on.
fn assert_at_rest(mut sim: Sim, agents: &[Entity], seconds: f32, case: &str) {
    sim.run(seconds);
    let seen = &sim.app.world().resource::<Seen>().0;
    let missing = agents.iter().filter(|agent| !seen.contains(agent)).count();
    assert!(missing == 0, "{case}: {missing} of {} never arrived", agents.len());
    let mut fastest = 0.0_f32;
    sim.run_with(1.0, |world| {
        for &agent in agents {
            let speed = world.get::<bevy_steer::Velocity>(agent).unwrap().length();
            fastest = fastest.max(speed);
        }
    });
    assert!(fastest < 0.1, "{case}: {fastest}");
}

fn on_a_ring(i: usize, count: usize, radius: f32) -> Transform {
    let place = Vec2::from_angle(i as f32 / count as f32 * TAU) * radius;
    at(place.x, place.y)
}

#[test]
fn agents_with_one_goal_come_to_rest_around_it() {
    for count in [2, 3, 5, 10, 20, 50] {
        let mut sim = world();
        let agent = |i| {
            let start = on_a_ring(i, count, 8.0 + 0.2 * count as f32);
            sim.spawn((Vehicle::default(), AvoidAgents::default(), Arrive::new(Vec2::ZERO), start))
        };
        let agents: Vec<Entity> = (0..count).map(agent).collect();
        assert_at_rest(sim, &agents, 29.0, &format!("{count} from all sides"));

        let mut sim = world();
        let agent = |i: usize| {
            let start = at(-15.0 - 1.3 * (i / 5) as f32, 1.3 * (i % 5) as f32);
            sim.spawn((Vehicle::default(), AvoidAgents::default(), Arrive::new(Vec2::ZERO), start))
        };
        let agents: Vec<Entity> = (0..count).map(agent).collect();
        assert_at_rest(sim, &agents, 29.0, &format!("{count} from one side"));
    }
}

/// How agents go to the goal of all of them.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Arrive,
    Sizes,
    Path,
    Seldom,
}

#[test]
fn they_do_so_in_each_plane_whatever_moves_them() {
    for plane in SteeringPlane::ALL {
        for kind in [Kind::Arrive, Kind::Sizes, Kind::Path, Kind::Seldom] {
            for count in [2, 5, 20, 30] {
                let mut sim = world_in(plane);
                let agent = |i: usize| {
                    let [along, aside] = [0.0, 0.25 * TAU].map(|turn| plane.direction(turn));
                    let ring = Vec2::from_angle(i as f32 / count as f32 * TAU);
                    let start = (along * ring.x + aside * ring.y) * (8.0 + 0.2 * count as f32);
                    let radius =
                        [0.5, 0.3, 0.8][if matches!(kind, Kind::Sizes) { i % 3 } else { 0 }];
                    let body = Vehicle::default().with_radius(radius);
                    let at = Transform::from_translation(start);
                    let agent = sim.spawn((body, AvoidAgents::default(), at));
                    let mut entity = sim.app.world_mut().entity_mut(agent);
                    match kind {
                        Kind::Arrive | Kind::Sizes => entity.insert(Arrive::new(Vec3::ZERO)),
                        Kind::Path => {
                            entity.insert(PathFollow::new(Path::new([start, Vec3::ZERO])))
                        }
                        Kind::Seldom => entity.insert((Arrive::new(Vec3::ZERO), ThinkEvery(4))),
                    };
                    agent
                };
                let agents: Vec<Entity> = (0..count).map(agent).collect();
                assert_at_rest(sim, &agents, 29.0, &format!("{count} in {plane:?}, {kind:?}"));
            }
        }
    }
}

/// Where agents are and how they decide: with each mode, in the other planes, and seldom.
fn ways() -> Vec<(SteeringPlane, Arbitration, ThinkEvery)> {
    let decides = modes().map(|mode| (SteeringPlane::Xy, mode, ThinkEvery(1))).into_iter();
    let others = [SteeringPlane::Xz, SteeringPlane::Free].map(|plane| (plane, ThinkEvery(1)));
    let others = others.into_iter().chain([(SteeringPlane::Xy, ThinkEvery(3))]);
    decides.chain(others.map(|(plane, think)| (plane, default(), think))).collect()
}

fn on_a_ring_in(plane: SteeringPlane, i: usize, count: usize, radius: f32) -> Transform {
    let ring = on_a_ring(i, count, radius).translation.truncate();
    Transform::from_translation(place(plane, ring))
}

#[test]
fn they_do_so_however_they_decide() {
    let bodies = [(0.5, 2.5), (0.5, 10.0), (0.3, 5.0)];
    let bodies = bodies.map(|(radius, speed)| Vehicle::new(speed).with_radius(radius));
    let bodies = bodies.map(|body| (SteeringPlane::Xy, default(), ThinkEvery(1), body));
    let ways = ways().into_iter();
    let ways = ways.map(|(plane, mode, think)| (plane, mode, think, Vehicle::default()));
    for (plane, mode, think, body) in ways.chain(bodies) {
        for count in [20, 50] {
            let mut sim = world_in(plane);
            let agent = |i| {
                let goal = (AvoidAgents::default(), Arrive::new(Vec3::ZERO));
                let start = on_a_ring_in(plane, i, count, 12.0);
                sim.spawn((body, goal, mode.clone(), think, start))
            };
            let agents: Vec<Entity> = (0..count).map(agent).collect();
            let body = (body.radius, body.max_speed);
            let case = format!("{count} of {body:?} in {plane:?}, {mode:?} {think:?}");
            assert_at_rest(sim, &agents, 29.0, &case);
        }
    }
}

#[test]
fn a_goal_on_which_an_idle_agent_stands_is_taken() {
    for avoids in [false, true] {
        for is_path in [false, true] {
            let mut sim = world();
            let idle = sim.spawn(Vehicle::default());
            let agent = sim.spawn((Vehicle::default(), AvoidAgents::default(), at(-8.0, 0.1)));
            let world = sim.app.world_mut();
            if avoids {
                world.entity_mut(idle).insert(AvoidAgents::default());
            }
            if is_path {
                let follow = PathFollow::new(Path::new([Vec3::ZERO]));
                world.entity_mut(agent).insert(follow);
            } else {
                world.entity_mut(agent).insert(Arrive::new(Vec2::ZERO));
            }
            assert_at_rest(sim, &[agent], 20.0, &format!("{avoids} {is_path}"));
        }
    }
}

#[test]
fn agents_of_all_sizes_come_to_rest_before_a_rock_with_their_goal() {
    for (way, (plane, mode, think)) in ways().into_iter().enumerate() {
        // Where only the most urgent tier acts, agents pressed together may go on a little.
        let is_pressed = matches!(mode, Arbitration::FirstActive { .. });
        let offs: &[f32] = match way {
            0 => &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5],
            _ if is_pressed => &[0.0, 2.5],
            _ => &[0.0, 0.5, 2.5],
        };
        for &off in offs {
            let mut sim = world_in(plane);
            sim.spawn((Obstacle::sphere(3.0), at(0.0, 0.0)));
            let agent = |i: usize| {
                let vehicle = Vehicle::default().with_radius([0.3, 0.5, 0.8][i % 3]);
                let avoids = (AvoidAgents::default(), AvoidObstacles::default());
                let arrive = Arrive::new(place(plane, Vec2::X * off));
                let decides = (mode.clone(), think, on_a_ring_in(plane, i, 30, 15.0));
                sim.spawn((vehicle, avoids, arrive, decides))
            };
            let agents: Vec<Entity> = (0..30).map(agent).collect();
            let case = format!("{plane:?} {mode:?} {think:?}, goal {off} from the middle");
            assert_at_rest(sim, &agents, 29.0, &case);
        }
    }
}

#[test]
fn every_unit_reaches_a_slot_that_is_free() {
    let usual = ways().remove(0);
    let shifts = (0..3).map(|shift| (shift, usual.clone()));
    let others = ways().into_iter().skip(1).map(|way| (0, way));
    for (shift, (plane, mode, think)) in shifts.chain(others) {
        let case = format!("{shift} {plane:?} {mode:?} {think:?}");
        let mut sim = world_in(plane);
        let agent = |i: usize| {
            let start = 7 * i + shift;
            let from =
                Vec2::new(2.0 * (start % 6) as f32 - 25.0, 2.0 * (start / 6 % 10) as f32 - 9.0);
            let slot = Vec2::new(15.0 + 2.0 * (i % 6) as f32, 2.0 * (i / 6) as f32 - 9.0);
            let [from, slot] = [from, slot].map(|v| place(plane, v));
            let vehicle = Vehicle::default().with_radius([0.3, 0.5, 0.8][i % 3]);
            let decides = (mode.clone(), think, Transform::from_translation(from));
            let agent = sim.spawn((vehicle, AvoidAgents::default(), Arrive::new(slot), decides));
            (agent, slot)
        };
        let units: Vec<(Entity, Vec3)> = (0..60).map(agent).collect();
        let agents: Vec<Entity> = units.iter().map(|(agent, _)| *agent).collect();
        sim.run(60.0);
        for (agent, slot) in units {
            let off = sim.position(agent).distance(slot);
            let stop_radius = 0.2 * sim.get::<Vehicle>(agent).radius;
            assert!(off <= stop_radius, "{case}: {agent} is {off} off its slot");
        }
        assert_at_rest(sim, &agents, 1.0, &format!("slots {case}"));
    }
}

#[test]
fn who_waits_goes_on_when_the_goal_becomes_free() {
    let mut sim = world();
    let goal = || (Vehicle::default(), AvoidAgents::default(), Arrive::new(Vec2::ZERO));
    let first = sim.spawn((goal(), at(0.0, 0.0)));
    let second = sim.spawn((goal(), at(-8.0, 0.0)));
    sim.run(6.0);
    let gap = sim.position(second).distance(sim.position(first));
    assert!(gap > 0.95 && sim.position(second).length() > 0.4, "the goal is taken: {gap}");
    assert!(sim.app.world().resource::<Seen>().0.contains(&second));
    sim.get_mut::<Arrive>(first).target = Vec2::new(20.0, 0.0).into();
    sim.run(8.0);
    assert!(sim.position(second).length() < 0.2, "{}", sim.position(second));
}

#[test]
fn another_goal_that_a_body_covers_is_taken_too() {
    let mut sim = world();
    sim.spawn((Vehicle::default(), AvoidAgents::default(), Arrive::new(Vec2::ZERO), at(0.0, 0.0)));
    let goal = Arrive::new(Vec2::new(0.0, 0.4));
    let agent = sim.spawn((Vehicle::default(), AvoidAgents::default(), goal, at(-8.0, 0.0)));
    assert_at_rest(sim, &[agent], 10.0, "covered");
}
