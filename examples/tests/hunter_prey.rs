//! Headless runs of the hunter/prey game with default options, judged by their statistics.

use bevy::prelude::*;
use bevy_steer::{Heading, prelude::*};
use bevy_steer_examples::{
    clock,
    hunter_prey::{
        game::{GamePlugin, Hunter},
        headless::simulate,
        options::Options,
        report::Report,
    },
};
use bevy_steer_tests::child::ask_a_child;

fn run(seed: u64, bounce: bool) -> Report {
    let options = Options { seed, bounce, seconds: Some(60.0), ..Options::default() };
    simulate(&options, false).0
}

/// So much of the time prey may be near the edge, where 8 % of the arena is: those that flee are
/// driven to edges that bounce.
fn assert_lively(report: &Report, at_edge: f64) {
    let text = report.table();
    assert_eq!(report.ticks, 3840, "{text}");
    assert_eq!(report.agents, 246, "{text}");
    assert!(report.catches > 0 && report.escapes > 0, "expected catches and escapes:\n{text}");
    assert_eq!(report.not_finite, 0, "{text}");
    assert!(report.obstacle_overlap_share < 0.005, "agents run into obstacles:\n{text}");
    // Beyond the first five seconds in one place. A prey that is cornered stays there until the
    // hunter tires, and is afraid a little longer than the hunter is close. One agent that is stuck
    // for all of a run is four times as much.
    assert!(report.stuck_share < 0.001, "an agent stands or circles in one place:\n{text}");
    assert!(report.nobody_chases_share < 0.05, "all hunters rest together:\n{text}");
    assert!(report.all_chase_share < 0.2, "all hunters chase together:\n{text}");
    let hunters = report.mean_speed_hunters;
    let prey = report.mean_speed_prey;
    assert!((60.0..142.0).contains(&hunters), "hunters should wander and chase:\n{text}");
    assert!((50.0..138.0).contains(&prey), "prey should wander and flee:\n{text}");
    assert!(report.prey_at_edge_share < at_edge, "prey jam at the edge:\n{text}");
}

#[test]
fn runs_are_lively_with_wrapping_edges() {
    (1..=3).for_each(|seed| assert_lively(&run(seed, false), 0.11));
}

#[test]
fn runs_are_lively_with_bouncing_edges() {
    (1..=3).for_each(|seed| assert_lively(&run(seed, true), 0.22));
}

#[test]
fn flankers_are_on_both_sides_of_the_leader_that_they_follow() {
    let mut app = clock::headless_app(None);
    app.add_plugins(GamePlugin::new(Options::default()));
    clock::start(&mut app);
    let world = app.world_mut();
    let mut hunters =
        world.query_filtered::<(&Hunter, Option<&OffsetPursue>, Entity), With<Hunter>>();
    // For each flanker the leader, and the side of its place: 1 for the left.
    let leaders: Vec<(u32, Entity)> = hunters
        .iter(world)
        .filter(|(_, flank, _)| flank.is_none())
        .map(|(hunter, _, entity)| (hunter.trio, entity))
        .collect();
    let flankers: Vec<(Entity, Entity, f32)> = hunters
        .iter(world)
        .filter_map(|(hunter, flank, entity)| {
            let leader = leaders.iter().find(|(trio, _)| *trio == hunter.trio)?.1;
            Some((entity, leader, flank?.offset.y.signum()))
        })
        .collect();
    assert!(flankers.len() >= 4 && flankers.iter().any(|(.., side)| *side < 0.0));
    // So many ticks each follows, and so many of them it is on its side.
    let mut counts = vec![(0, 0); flankers.len()];
    for _ in 0..60 * 64 {
        app.update();
        let world = app.world();
        for (&(flanker, leader, side), count) in flankers.iter().zip(&mut counts) {
            let place = |entity| world.get::<Transform>(entity).unwrap().translation;
            let follows = world.get::<OffsetPursue>(flanker).unwrap().is_enabled();
            let from = world.resource::<WorldBounds>().shortest(place(flanker) - place(leader));
            // It takes its place from behind or from ahead, too.
            if follows && from.length() < 2.0 * Hunter::FLANK.y {
                let heading = world.get::<Heading>(leader).unwrap().0.truncate();
                count.0 += 1;
                count.1 += u32::from(heading.perp_dot(from.truncate()) * side > 0.0);
            }
        }
    }
    let share = |(follows, on_its_side): (u32, u32)| f64::from(on_its_side) / f64::from(follows);
    let all = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(share(all) > 0.7, "{counts:?}");
    assert!(counts.iter().all(|one| one.0 > 320 && share(*one) > 0.55), "{counts:?}");
}

#[test]
fn different_seeds_give_different_runs() {
    assert_ne!(run(1, false).state_hash, run(2, false).state_hash);
}

/// The environment variable with the number of threads of a child process.
const THREADS: &str = "HUNTER_PREY_THREADS";

#[test]
fn result_does_not_depend_on_threads() {
    // The task pools of a process cannot be changed, so every number of threads needs a process.
    let hash = |threads: &str| {
        ask_a_child("hunter_prey::child_prints_its_hash", THREADS, threads, "hash: ")
    };
    let one = hash("1");
    assert_eq!(hash("1"), one, "a repeated run");
    assert_eq!(hash("2"), one);
    assert_eq!(hash("8"), one);
}

#[test]
#[ignore = "run by the test above in a child process"]
fn child_prints_its_hash() {
    let threads = std::env::var(THREADS).ok().and_then(|threads| threads.parse().ok());
    let options =
        Options { threads, prey: 200, hunters: 20, seconds: Some(30.0), ..Options::default() };
    println!("hash: {}", simulate(&options, false).0.state_hash);
}
