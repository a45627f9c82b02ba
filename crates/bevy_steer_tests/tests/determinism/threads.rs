//! Crowds that are large enough for their work to be shared out come out the same on any number of
//! threads.

use bevy::{
    prelude::*,
    tasks::{ComputeTaskPool, TaskPoolBuilder},
};
use bevy_steer::prelude::*;

use crate::{
    common::{child::ask_a_child, fingerprint, random_behaviors, worlds::Plan},
    determinism::scenes::{mixed_masks, plan},
};

/// Tells a child process how many threads to use.
const THREADS: &str = "BEVY_STEER_TEST_THREADS";
const ANSWER: &str = "fingerprints ";

#[test]
fn results_do_not_depend_on_the_thread_count() {
    if let Ok(threads) = std::env::var(THREADS) {
        return run_on(threads.parse().expect("a number"));
    }
    let answers = [1, 2, 8].map(answer_on);
    assert_eq!(answers[0], answers[1], "one thread and two");
    assert_eq!(answers[0], answers[2], "one thread and eight");
}

/// Everything, in many small tables.
fn medley() -> Plan {
    // Nearly all behaviours, so that each of them has more agents than are worth sharing out.
    Plan {
        agents: mixed_masks(12_500, 3),
        is_mixed: true,
        things: 40,
        ..plan("medley of threads", 500.0)
    }
}

/// All alike, in few large tables, which are cut and then steered in blocks of eight from wherever
/// they were cut.
fn swarm() -> Plan {
    let agents = vec![random_behaviors::all(); 12_500];
    Plan { agents, plane: SteeringPlane::Xz, ..plan("swarm of threads", 300.0) }
}

/// The pool is global to a process: it must be there before the app would make its own. The thread
/// of the app takes its share of the work, so the pool has one less.
fn run_on(threads: usize) {
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads - 1).build());
    let prints = [medley(), swarm()].map(|plan| {
        let shared = plan.agents.iter().filter(|&&mask| mask & 1 != 0).count();
        assert!(shared > 10_000, "{shared} are too few to be shared out to threads");
        format!("{:016x}", fingerprint::run(&plan, 1, 10))
    });
    assert_eq!(ComputeTaskPool::get().thread_num(), threads - 1);
    println!("\n{ANSWER}{prints:?}");
}

fn answer_on(threads: usize) -> String {
    let test = "determinism::threads::results_do_not_depend_on_the_thread_count";
    ask_a_child(test, THREADS, &threads.to_string(), ANSWER)
}
