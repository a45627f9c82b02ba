//! The same world gives the same bits, twice and for any order of spawning.

use bevy::prelude::*;
use bevy_steer::{AgentId, Velocity, prelude::*};
use bevy_steer_formations::{Formation, MemberOf, Pattern};
use bevy_steer_tests::{Sim, rng::TestRng};

use crate::{flat_world, patterns};

/// The positions and velocities of two formations whose ways cross, after every second. Members are
/// spawned and made members in some order, and every second place is shared by two of them.
fn run(pattern: &Pattern, order: Option<u64>) -> Vec<[u32; 6]> {
    let mut sim: Sim = flat_world();
    let mut numbers: Vec<u64> = (0..26).collect();
    let shuffle = |numbers: &mut Vec<u64>, salt| {
        if let Some(seed) = order {
            TestRng::new(seed, salt).shuffle(numbers);
        }
    };
    shuffle(&mut numbers, 0);
    let mut agents = vec![Entity::PLACEHOLDER; 26];
    for &number in &numbers {
        let side = if number % 2 == 0 { -1.0 } else { 1.0 };
        let place = Vec3::new(side * 20.0, (number / 4) as f32 * 2.0 - 6.0, 0.0);
        let agent = (Vehicle::new(4.0), AgentId(number), AvoidAgents::default());
        let agent = sim.spawn((agent, Transform::from_translation(place)));
        if number < 2 {
            let leads =
                (Formation::new(pattern.clone()), Arrive::new(Vec2::new(-side * 20.0, 0.0)));
            sim.app.world_mut().entity_mut(agent).insert(leads);
        }
        agents[number as usize] = agent;
    }
    shuffle(&mut numbers, 1);
    for &number in numbers.iter().filter(|&&number| number >= 2) {
        let leader = agents[(number % 2) as usize];
        sim.app.world_mut().entity_mut(agents[number as usize]).insert(MemberOf(leader));
    }
    let mut prints = Vec::new();
    for second in 0..14 {
        if second == 7 {
            sim.app.world_mut().despawn(agents[9]);
            agents.remove(9);
        }
        sim.run(1.0);
        let print = |&agent: &Entity| {
            let place = sim.position(agent).to_array();
            let velocity = sim.get::<Velocity>(agent).to_array();
            let numbers = [place[0], place[1], place[2], velocity[0], velocity[1], velocity[2]];
            numbers.map(f32::to_bits)
        };
        prints.extend(agents.iter().map(print));
    }
    prints
}

#[test]
fn results_are_the_same_twice_and_for_any_order_of_spawning() {
    for pattern in patterns() {
        let first = run(&pattern, None);
        assert!(run(&pattern, None) == first, "{pattern:?}");
        for order in 1..4 {
            assert!(run(&pattern, Some(order)) == first, "{pattern:?} {order}");
        }
    }
}
