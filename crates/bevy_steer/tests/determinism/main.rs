//! The same input gives the same bits: on every run, on any number of threads, in any order of entities, whoever looks on; with
//! the feature `libm` on every platform.

#[path = "../common/mod.rs"]
mod common;

mod onlookers;
mod orders;
#[cfg(feature = "libm")]
mod platforms;
mod scenes;
#[cfg(feature = "parallel")]
mod threads;

use bevy::prelude::*;
use bevy_steer::BehaviorRegistry;
use common::{Sim, fingerprint, worlds::Plan};
use scenes::{SCENES, mixed_masks};

#[test]
fn every_run_is_the_same() {
    for (scene, first) in SCENES.iter().zip(scenes::prints()) {
        assert_eq!(scene.print(), *first, "{}", scene.name);
    }
}

#[test]
fn no_two_scenes_are_alike() {
    let mut prints = scenes::prints().to_vec();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), SCENES.len());
}

#[test]
fn another_seed_is_another_world() {
    let plan = Plan { agents: mixed_masks(30, 1), ..scenes::plan("seeds", 20.0) };
    let mut prints: Vec<u64> = (0..8).map(|seed| fingerprint::run(&plan, seed, 30)).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), 8);
}

#[test]
fn every_behaviour_has_a_scene_of_its_own() {
    let sim = Sim::new();
    for behavior in sim.app.world().resource::<BehaviorRegistry>().iter() {
        let scene = SCENES.iter().find(|scene| scene.name == behavior.name).expect(behavior.name);
        let (sim, agents) = scene.plan.build();
        let has_it = |&agent: &Entity| behavior.is_on(sim.app.world().entity(agent));
        assert!(agents.iter().all(has_it), "{}", behavior.name);
    }
}
