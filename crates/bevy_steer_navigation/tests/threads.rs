//! Agents move in the same way, bit for bit, with any number of threads.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, ComputeTaskPool, TaskPoolBuilder},
};
use bevy_steer::{SteeringPlane, Velocity};
use bevy_steer_tests::child::ask_a_child;

use crate::{flow::crowd, maze::maze};

/// Tells a child process how many threads to use.
const THREADS: &str = "BEVY_STEER_TEST_THREADS";
const ANSWER: &str = "state ";

#[test]
fn results_do_not_depend_on_the_thread_count() {
    if let Ok(threads) = std::env::var(THREADS) {
        return run_on(threads.parse().expect("a number"));
    }
    let answers = [0, 1, 4].map(answer_on);
    assert_eq!(answers[0], answers[1], "no thread and one");
    assert_eq!(answers[0], answers[2], "no thread and four");
}

/// The pools are global to a process: they must be there before the app would make its own.
fn run_on(threads: usize) {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads).build());
    // Without a thread nobody plans but the one that needs the plan.
    AsyncComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads).build());
    assert_eq!(AsyncComputeTaskPool::get().thread_num(), threads);
    // The hash of Fowler, Noll and Vo.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    // On paths, and in a flow field.
    for (mut sim, agents) in [maze(40), crowd(SteeringPlane::Xy, 40)] {
        sim.run(12.0);
        let mut moved = 0;
        for agent in agents {
            let (place, velocity) = (sim.get::<Transform>(agent), sim.get::<Velocity>(agent));
            moved += usize::from(velocity.length() > 0.5);
            let bits = place.translation.to_array().into_iter().chain(velocity.to_array());
            for bits in bits.map(f32::to_bits) {
                hash = (hash ^ u64::from(bits)).wrapping_mul(0x0100_0000_01B3);
            }
        }
        assert!(moved > 10, "{moved} are on the way");
    }
    println!("\n{ANSWER}{hash:016x}");
}

fn answer_on(threads: usize) -> String {
    let test = "threads::results_do_not_depend_on_the_thread_count";
    ask_a_child(test, THREADS, &threads.to_string(), ANSWER)
}
