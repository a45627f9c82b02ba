//! The same input gives the same bits: on every run, on any number of threads, in any order of
//! entities, traced and drawn or not; with the feature `libm` on every platform.

mod observation;
mod ordering;
mod platform;
mod scenes;
#[cfg(feature = "parallel")]
mod threads;

use bevy::prelude::*;
use bevy_steer::BehaviorRegistry;

use crate::common::{Sim, fingerprint, worlds::Plan};
use scenes::{SCENES, mixed_masks};

#[test]
fn every_run_gives_the_same_hash() {
    for (scene, first) in SCENES.iter().zip(scenes::prints()) {
        assert_eq!(scene.print(), *first, "{}", scene.name);
    }
}

#[test]
fn all_scenes_differ() {
    let mut prints = scenes::prints().to_vec();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), SCENES.len());
}

#[test]
fn different_seeds_give_different_worlds() {
    let plan = Plan { agents: mixed_masks(30, 1), ..scenes::plan("seeds", 20.0) };
    let mut prints: Vec<u64> = (0..8).map(|seed| fingerprint::run(&plan, seed, 30)).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), 8);
}

#[test]
fn every_behavior_has_its_own_scene() {
    let sim = Sim::new();
    let behaviors = sim.app.world().resource::<BehaviorRegistry>().iter();
    // A wish is the game's own.
    for behavior in behaviors.filter(|behavior| behavior.name != "Wish") {
        let scene = SCENES.iter().find(|scene| scene.name == behavior.name).expect(behavior.name);
        let (sim, agents) = scene.plan.build();
        let has_it = |&agent: &Entity| behavior.has(sim.app.world().entity(agent));
        assert!(agents.iter().all(has_it), "{}", behavior.name);
    }
}
