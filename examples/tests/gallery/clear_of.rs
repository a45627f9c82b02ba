//! Scenes whose agents keep clear of something, and get past it.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, Velocity, prelude::*};

use crate::play::Play;

#[test]
fn nobody_lets_the_bull_come_near() {
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
    assert!(nearest > 33.0, "the bull has come within {nearest}");
}

#[test]
fn who_evades_is_run_over_less() {
    let mut play = Play::new("evade");
    let (mut fled, mut evaded) = (0, 0);
    play.watch(60.0, |world| {
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

/// The share of agents and ticks at which an agent overlaps a round obstacle or another agent by more than a tenth.
fn overlaps(play: &mut Play, seconds: f32) -> [f32; 2] {
    let (mut stones_hit, mut agents_hit, mut all) = (0, 0, 0);
    play.watch(seconds, |world| {
        let mut stones = world.query::<(&Transform, &Obstacle)>();
        let stones: Vec<(Vec3, f32)> = stones
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
            stones_hit += u32::from(stones.iter().any(hits));
            agents_hit += u32::from(agents[i + 1..].iter().any(hits));
        }
    });
    [stones_hit as f32 / all as f32, agents_hit as f32 / all as f32]
}

#[test]
fn nobody_walks_through_stones_or_others() {
    for name in
        ["avoid-obstacles", "path-obstacles", "avoid-agents", "crossing", "ground", "doorway"]
    {
        let [stones, agents] = overlaps(&mut Play::new(name), 13.0);
        assert!(stones < 0.002, "{name}: {stones} through stones");
        // Sheep and people at a door push.
        let most = if ["ground", "doorway"].contains(&name) { 0.06 } else { 0.02 };
        assert!(agents < most, "{name}: {agents} through others");
    }
}

#[test]
fn nobody_dawdles_at_a_stone_on_the_path() {
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
fn nobody_walks_through_walls() {
    let mut play = Play::new("avoid-walls");
    let mut nearest = f32::MAX;
    play.watch(30.0, |world| {
        let mut walls = world.query::<&Wall>();
        let walls: Vec<Segment3d> =
            walls.iter(world).map(|wall| Segment3d::new(wall.start, wall.end)).collect();
        let mut agents = world.query_filtered::<&Transform, With<AvoidWalls>>();
        for at in agents.iter(world) {
            let gaps = walls
                .iter()
                .map(|wall| wall.closest_point(at.translation).distance(at.translation));
            nearest = gaps.fold(nearest, f32::min);
        }
    });
    assert!(nearest > 8.0, "somebody's middle is {nearest} from a wall");
}

#[test]
fn both_crowds_and_the_ring_get_to_the_other_side() {
    for (name, seconds) in [("crossing", 17.8), ("avoid-agents", 10.8)] {
        let mut play = Play::new(name);
        play.run(seconds);
        let left = play.all::<(&Arrive, &Transform), (), _>(|(arrive, at)| match arrive.target {
            Target::Point(target) => target.distance(at.translation),
            _ => f32::MAX,
        });
        let worst = left.into_iter().fold(0.0, f32::max);
        assert!(worst < 30.0, "{name}: somebody is {worst} units from where it should be");
    }
}

#[test]
fn all_get_through_the_door() {
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
