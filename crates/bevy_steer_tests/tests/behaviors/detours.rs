//! `AvoidObstacles` round what the way to the goal leads into.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at, strong};

/// How near each of these agents comes to a goal.
fn nearest_to(sim: &mut Sim, goal: Vec2, agents: &[Entity], seconds: f32) -> HashMap<Entity, f32> {
    let mut nearest: HashMap<_, _> = agents.iter().map(|&agent| (agent, f32::MAX)).collect();
    sim.run_with(seconds, |world| {
        for (&agent, nearest) in &mut nearest {
            let place = world.get::<Transform>(agent).unwrap().translation.truncate();
            *nearest = nearest.min(place.distance(goal));
        }
    });
    nearest
}

fn walker(goal: Vec2) -> impl Bundle {
    (Vehicle::new(4.0).with_radius(0.5), AvoidObstacles::default(), Seek::new(goal))
}

#[test]
fn no_start_near_a_corner_is_stuck() {
    let goal = Vec2::new(22.0, 0.0);
    let mut sim = Sim::new();
    sim.spawn((Obstacle::rect(Vec2::new(1.0, 40.0)), at(20.0, 21.5)));
    let mut starts = HashMap::new();
    for i in 0..360 {
        let (x, y) = (18.75 - (i % 3) as f32 * 0.4, 1.5 + (i / 3 % 12) as f32 * 0.25);
        let velocity = Velocity(SteeringPlane::Xy.direction((i / 36) as f32 * 0.628) * 4.0);
        starts.insert(sim.spawn((walker(goal), velocity, at(x, y))), (x, y, velocity));
    }
    let reported = sim.spawn((walker(goal), Velocity(Vec3::Y * 4.0), at(18.75, 1.5)));
    starts.insert(reported, (18.75, 1.5, Velocity(Vec3::Y * 4.0)));
    let agents: Vec<_> = starts.keys().copied().collect();
    let nearest = nearest_to(&mut sim, goal, &agents, 30.0);
    let stuck: Vec<_> = nearest.iter().filter(|(_, nearest)| **nearest > 1.0).collect();
    let first = stuck.first().map(|(agent, _)| (starts[agent], sim.position(**agent)));
    assert!(stuck.is_empty(), "{} of 361, as {first:?}", stuck.len());
}

#[test]
fn goals_behind_long_boxes_are_reached() {
    for length in [12.0, 20.0] {
        for behind in [1.75, 3.0, 8.0] {
            let goal = Vec2::new(20.5 + behind, 0.0);
            let mut sim = Sim::new();
            sim.spawn((Obstacle::rect(Vec2::new(1.0, length)), at(20.0, 0.0)));
            let start = |i: i32| at(if i % 2 == 0 { 0.0 } else { 18.0 }, (i / 2) as f32 - 5.0);
            let agents: Vec<_> = (0..20).map(|i| sim.spawn((walker(goal), start(i)))).collect();
            let nearest = nearest_to(&mut sim, goal, &agents, 45.0);
            let far: Vec<_> = nearest
                .iter()
                .filter(|(_, nearest)| **nearest > 1.0)
                .map(|(&agent, _)| sim.position(agent))
                .collect();
            assert!(far.is_empty(), "{length} {behind}: {} of 20 at {:?}", far.len(), far[0]);
        }
    }
}

#[test]
fn an_agent_rests_where_its_goal_is_inside() {
    let mut sim = Sim::new();
    sim.spawn((Obstacle::rect(Vec2::new(8.0, 2.0)), at(10.0, 0.0)));
    let goal = Arrive::new(Vec2::new(11.0, 0.2));
    let agent = sim.spawn((Vehicle::default(), AvoidObstacles::default(), goal, at(0.0, 0.0)));
    sim.run(60.0);
    let place = sim.position(agent);
    sim.run_with(5.0, |world| {
        let now = world.get::<Transform>(agent).unwrap().translation;
        assert!(now.distance(place) < 0.3, "{place} {now}");
    });
}

#[test]
fn a_box_met_end_on_is_passed_by_its_own_width() {
    for y in [0.0, 0.1, -0.2] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::rect(Vec2::new(10.0, 1.0)), at(20.0, y)));
        let vehicle = Vehicle::new(4.0).with_radius(0.3);
        let goal = Seek::new(Vec2::new(1e3, 0.0));
        let agent = sim.spawn((vehicle, AvoidObstacles::default(), goal, at(0.0, 0.0)));
        let (mut least, mut most) = (f32::MAX, 0.0_f32);
        sim.run_with(8.0, |world| {
            let place = world.get::<Transform>(agent).unwrap().translation;
            let off = (place.y - y).abs();
            most = most.max(off);
            if (place.x - 20.0).abs() < 5.0 {
                least = least.min(off);
            }
        });
        // Half the box, the body and its margin.
        assert!(least > 0.5 + 0.3 && most < 0.95 + 0.12, "{y}: {least} to {most}");
    }
}

#[test]
fn between_two_stones_each_side_is_kept() {
    // The gap is wide enough, and straight ahead; margins overlap in it.
    for y in [-0.4, -0.1, 0.0, 0.1, 0.4] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::sphere(2.0), at(15.0, 2.7)));
        sim.spawn((Obstacle::sphere(2.0), at(15.0, -2.7)));
        let goal = Vec2::new(30.0, 0.0);
        let agents = [0, 1].map(|_| sim.spawn((walker(goal), at(0.0, y))));
        let mut turns = HashMap::from(agents.map(|agent| (agent, (0.0_f32, 0))));
        sim.run_with(8.0, |world| {
            for (&agent, (before, turns)) in &mut turns {
                let force = world.get::<SteeringForce>(agent).unwrap().linear.y;
                let x = world.get::<Transform>(agent).unwrap().translation.x;
                let is_strong = force.abs() > 1.0 && x < 17.0;
                if is_strong {
                    *turns += usize::from(force * *before < 0.0);
                    *before = force;
                }
            }
        });
        for agent in agents {
            let off = sim.position(agent).x;
            assert!(off > 25.0 && turns[&agent].1 <= 4, "{y}: {off} {:?}", turns[&agent]);
        }
    }
}

#[test]
fn two_avoiders_of_one_box_do_not_add_up() {
    let wish = |avoid: &dyn Fn(&mut EntityWorldMut)| {
        let mut sim = Sim::without_motion();
        sim.spawn((Obstacle::rect(Vec2::splat(4.0)), at(5.0, 0.3)));
        let agent = sim.spawn((strong(5.0), Velocity(Vec3::X * 5.0)));
        avoid(&mut sim.app.world_mut().entity_mut(agent));
        sim.tick();
        sim.wish(agent)
    };
    let round = wish(&|agent| _ = agent.insert(AvoidObstacles::default()));
    let off = wish(&|agent| _ = agent.insert(AvoidWalls::default()));
    let both = wish(&|agent| _ = agent.insert((AvoidObstacles::default(), AvoidWalls::default())));
    assert!(round != Vec3::ZERO && off != Vec3::ZERO && round != off);
    assert_eq!(both, round);
    let several = || Several::new([AvoidObstacles::default().with_weight(1.0)]);
    let with_several = wish(&|agent| _ = agent.insert((several(), AvoidWalls::default())));
    assert_eq!(with_several, round);
    let mut off_too = several();
    off_too.0[0].set_enabled(false);
    assert_eq!(wish(&|agent| _ = agent.insert((off_too.clone(), AvoidWalls::default()))), off);
}

#[test]
fn an_agent_with_both_avoiders_passes_a_box() {
    let goal = Vec2::new(20.0, 0.0);
    for y in [0.0, 0.3, -0.8] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::rect(Vec2::splat(4.0)), at(10.0, y)));
        let agent = sim.spawn((walker(goal), AvoidWalls::default(), at(0.0, 0.0)));
        let nearest = nearest_to(&mut sim, goal, &[agent], 15.0);
        assert!(nearest[&agent] < 1.0, "{y}: {}", nearest[&agent]);
    }
}

#[test]
fn avoid_walls_alone_leads_round_a_box_too() {
    let goal = Vec2::new(20.0, 0.0);
    for y in [0.0, 0.3, -0.8] {
        let mut sim = Sim::new();
        sim.spawn((Obstacle::rect(Vec2::splat(4.0)), at(10.0, y)));
        let body = (Vehicle::new(4.0).with_radius(0.5), Seek::new(goal));
        let agent = sim.spawn((body, AvoidWalls::default(), at(0.0, 0.0)));
        let nearest = nearest_to(&mut sim, goal, &[agent], 10.0);
        assert!(nearest[&agent] < 1.0, "{y}: {}", nearest[&agent]);
    }
}
