//! Scenes in which agents avoid threats, obstacles, walls and each other.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, Velocity, prelude::*};

use super::play::Play;

#[test]
fn fleeing_agents_keep_their_distance() {
    let mut play = Play::new("flee");
    play.run(3.0);
    let mut nearest = f32::MAX;
    play.watch(30.0, |world| {
        let mut all = world.query::<(&Transform, &Flee)>();
        for (transform, flee) in all.iter(world) {
            let Target::Entity(bull) = flee.target else { continue };
            let bull = world.get::<Transform>(bull).unwrap().translation;
            nearest = nearest.min(bull.distance(transform.translation));
        }
    });
    assert!(nearest > 33.0, "the bull came within {nearest} units of an agent");
}

#[test]
fn evading_keeps_farther_away_than_fleeing() {
    let mut play = Play::new("evade");
    let (mut fled, mut evaded) = (0, 0);
    play.watch(300.0, |world| {
        let mut bulls = world.query_filtered::<&Transform, Without<Wander>>();
        let bulls: Vec<Vec3> = bulls.iter(world).map(|bull| bull.translation).collect();
        let mut prey = world.query::<(&Transform, Has<Evade>, &Wander)>();
        for (transform, evades, _) in prey.iter(world) {
            let near = bulls.iter().any(|bull| bull.distance(transform.translation) < 60.0);
            *(if evades { &mut evaded } else { &mut fled }) += u32::from(near);
        }
    });
    assert!(evaded * 2 < fled, "ticks near a bull: {evaded} evading, {fled} fleeing");
}

/// The shares of agent ticks in which the agent overlaps a round obstacle, and another agent, by
/// more than a tenth.
fn overlaps(play: &mut Play, seconds: f32) -> [f32; 2] {
    let (mut obstacles_hit, mut agents_hit, mut all) = (0, 0, 0);
    play.watch(seconds, |world| {
        let mut obstacles = world.query::<(&Transform, &Obstacle)>();
        let obstacles: Vec<(Vec3, f32)> = obstacles
            .iter(world)
            .filter_map(|(at, obstacle)| match obstacle.shape {
                ObstacleShape::Sphere { radius } => Some((at.translation, radius)),
                _ => None,
            })
            .collect();
        let mut agents = world.query_filtered::<(&Transform, &Vehicle), Without<Obstacle>>();
        let agents: Vec<(Vec3, f32)> =
            agents.iter(world).map(|(at, vehicle)| (at.translation, vehicle.radius)).collect();
        for (i, &(at, radius)) in agents.iter().enumerate() {
            let hits = |(other, size): &(Vec3, f32)| at.distance(*other) < 0.9 * (size + radius);
            all += 1;
            obstacles_hit += u32::from(obstacles.iter().any(hits));
            agents_hit += u32::from(agents[i + 1..].iter().any(hits));
        }
    });
    [obstacles_hit as f32 / all as f32, agents_hit as f32 / all as f32]
}

#[test]
fn agents_rarely_overlap_obstacles_or_each_other() {
    for name in
        ["avoid-obstacles", "path-obstacles", "avoid-agents", "crossing", "ground", "doorway"]
    {
        let [obstacles, agents] = overlaps(&mut Play::new(name), 13.0);
        assert!(obstacles < 0.002, "{name}: {obstacles} overlap obstacles");
        // Dense crowds.
        let most = if ["ground", "doorway"].contains(&name) { 0.06 } else { 0.02 };
        assert!(agents < most, "{name}: {agents} overlap each other");
    }
}

#[test]
fn obstacles_on_the_path_do_not_slow_agents_down() {
    const LONGEST_SECONDS: f32 = 0.2;
    let mut play = Play::new("path-obstacles");
    play.run(1.0);
    let mut slow: HashMap<Entity, f32> = HashMap::new();
    play.watch(30.0, |world| {
        let mut agents = world.query::<(Entity, &Velocity, &Vehicle, &Transform)>();
        for (entity, velocity, vehicle, at) in agents.iter(world) {
            let seconds = slow.entry(entity).or_default();
            let is_slow = velocity.length() < 0.2 * vehicle.max_speed;
            *seconds = if is_slow { *seconds + 1.0 / 64.0 } else { 0.0 };
            assert!(*seconds < LONGEST_SECONDS, "at {}", at.translation);
        }
    });
    assert_eq!(slow.len(), 9);
}

#[test]
fn agents_keep_their_distance_from_walls() {
    let mut play = Play::new("avoid-walls");
    let mut nearest = f32::MAX;
    play.watch(30.0, |world| {
        let mut walls = world.query::<&Wall>();
        let walls: Vec<Segment3d> = walls
            .iter(world)
            .map(|wall| Segment3d { vertices: wall.ends(SteeringPlane::Xy) })
            .collect();
        let mut agents = world.query_filtered::<&Transform, With<AvoidWalls>>();
        for at in agents.iter(world) {
            let gaps = walls
                .iter()
                .map(|wall| wall.closest_point(at.translation).distance(at.translation));
            nearest = gaps.fold(nearest, f32::min);
        }
    });
    assert!(nearest > 8.0, "the centre of an agent came within {nearest} units of a wall");
}

#[test]
fn agents_on_a_ring_reach_the_other_side() {
    let mut play = Play::new("avoid-agents");
    play.run(10.8);
    let left = play.all::<(&Arrive, &Transform), (), _>(|(arrive, at)| match arrive.target {
        Target::Point(target) => target.in_plane(SteeringPlane::Xy).distance(at.translation),
        _ => f32::MAX,
    });
    let worst = left.into_iter().fold(0.0, f32::max);
    assert!(worst < 30.0, "an agent is {worst} units from its goal");
}

#[test]
fn all_agents_pass_the_door() {
    let mut play = Play::new("doorway");
    let mut through = HashSet::new();
    play.watch(25.0, |world| {
        let mut all = world.query::<(Entity, &Transform, &PathFollow)>();
        for (entity, at, _) in all.iter(world) {
            if at.translation.x > 60.0 {
                through.insert(entity);
            }
        }
    });
    assert_eq!(through.len(), 40);
}
