//! The same input gives the same bits: on every run, on any number of threads, in any order of entities.

mod common;

use std::process::Command;

use bevy::{
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use bevy_steer::prelude::*;
use common::{
    Sim, at,
    dice::{Dice, cases},
    fingerprint,
    hostile::bits,
    worlds::{BEHAVIORS, Plan, plans},
};
use proptest::prelude::*;

/// A world of all behaviours and planes.
fn mixed_world(agents: usize, reach: f32, most: u32) -> Plan {
    let mut dice = Dice::new(8, 8);
    let any = |dice: &mut Dice| dice.index(1 << BEHAVIORS) as u32;
    // Nearly all of them, so that every behaviour has more agents than are worth sharing out.
    let masks = (0..agents).map(|_| (0..most).fold(0, |mask, _| mask | any(&mut dice)));
    Plan {
        seed: 5,
        plane: SteeringPlane::Xy,
        is_mixed: true,
        agents: masks.collect(),
        things: 40,
        reach,
        worst: 0.0,
        order: None,
    }
}

#[test]
fn every_run_is_the_same() {
    let plan = mixed_world(150, 40.0, 1);
    let first = fingerprint::run(&plan, 1, 200);
    for _ in 0..3 {
        assert_eq!(fingerprint::run(&plan, 1, 200), first);
    }
}

#[test]
fn another_seed_is_another_world() {
    let plan = mixed_world(30, 20.0, 1);
    let mut prints: Vec<u64> = (0..8).map(|seed| fingerprint::run(&plan, seed, 30)).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), 8);
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn the_order_of_spawning_does_not_matter(plan in plans(40), order in any::<u64>()) {
        let shuffled = Plan { order: Some(order), ..plan.clone() };
        prop_assert_eq!(fingerprint::run(&shuffled, 1, 60), fingerprint::run(&plan, 1, 60));
    }
}

#[test]
fn the_order_of_obstacles_does_not_matter() {
    let run = |order: u64| {
        let mut sim = Sim::new();
        let mut dice = Dice::new(4, 4);
        // A heap: the agent is inside of several at once, and feels surfaces equally far away.
        let mut heap: Vec<(Obstacle, Transform)> = (0..12)
            .map(|i| {
                let size = Vec3::splat(2.0 + (i % 3) as f32);
                let shape =
                    if i % 2 == 0 { Obstacle::sphere(size.x) } else { Obstacle::cuboid(size) };
                let place = Transform::from_translation(dice.point(2.0).round());
                (shape, place.with_rotation(Quat::from_rotation_z(dice.number(0.0..3.0))))
            })
            .collect();
        Dice::new(order, 0).shuffle(&mut heap);
        sim.app.world_mut().spawn_batch(heap);
        let walls = AvoidWalls::default();
        let agent = sim.spawn((Vehicle::default(), AvoidObstacles::default(), walls, at(0.3, 0.1)));
        let mut way = Vec::new();
        sim.run_with(0.5, |world| {
            way.push(bits(world.get::<Transform>(agent).unwrap().translation));
        });
        way
    };
    let first = run(0);
    assert!(first.first() != first.last(), "it moves");
    for order in 1..20 {
        assert_eq!(run(order), first, "order {order}");
    }
}

/// Tells a child process how many threads to use.
const THREADS: &str = "BEVY_STEER_TEST_THREADS";
const ANSWER: &str = "fingerprint ";

#[test]
fn the_number_of_threads_does_not_matter() {
    if let Ok(threads) = std::env::var(THREADS) {
        return run_on(threads.parse().expect("a number"));
    }
    let answers = [1, 2, 8].map(ask_a_child);
    assert_eq!(answers[0], answers[1], "one thread and two");
    assert_eq!(answers[0], answers[2], "one thread and eight");
}

/// The pool is global to a process: it must be there before the app would make its own. The thread of the app takes its share of
/// the work, so the pool has one less.
fn run_on(threads: usize) {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads - 1).build());
    let plan = mixed_world(12_500, 500.0, 3);
    let shared = plan.agents.iter().filter(|&&mask| mask & 1 != 0).count();
    assert!(shared > 10_000, "{shared} are too few to be shared out to threads");
    let print = fingerprint::run(&plan, 1, 20);
    assert_eq!(ComputeTaskPool::get().thread_num(), threads - 1);
    println!("\n{ANSWER}{print:016x}");
}

fn ask_a_child(threads: usize) -> String {
    let test = std::env::current_exe().expect("the test's own path");
    let child = Command::new(test)
        .args(["--exact", "the_number_of_threads_does_not_matter", "--nocapture"])
        .env(THREADS, threads.to_string())
        .output()
        .expect("a child process");
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}\n{}", String::from_utf8_lossy(&child.stderr));
    let answer = said.lines().find_map(|line| line.strip_prefix(ANSWER));
    answer.unwrap_or_else(|| panic!("no answer in {said}")).to_owned()
}
