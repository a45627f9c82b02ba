//! Tests that run over all scenes.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_steer::{AgentId, BehaviorRegistry, prelude::*};
use bevy_steer_examples::gallery::{
    scene::View,
    scenes::{self, SCENES},
    stage::{ARENA, GROUND, TANK, show},
};

use super::play::Play;

/// Scenes in which agents come to rest or turn on the spot.
const RESTING: [&str; 6] = ["arrive", "avoid-agents", "doorway", "door", "face", "align"];

#[test]
fn each_agent_has_a_name_for_the_panel() {
    for scene in SCENES {
        let mut play = Play::new(scene.name);
        play.watch(2.0, |_| ());
        let names = play.all::<Option<&Name>, With<Vehicle>, _>(|name| name.map(Name::to_string));
        let different: HashSet<&String> = names.iter().flatten().collect();
        assert_eq!(different.len(), names.len(), "{scene:?}: {names:?}");
    }
}

#[test]
fn agents_move_and_do_not_get_stuck() {
    const STUCK_SECONDS: f32 = 4.0;
    for scene in SCENES {
        let mut play = Play::new(scene.name);
        let mut begin: HashMap<Entity, Transform> = HashMap::new();
        let mut since: HashMap<Entity, (Vec3, f32)> = HashMap::new();
        let mut time = 0.0;
        let mut stuck = Vec::new();
        play.watch(10.0, |world| {
            time += 1.0 / 64.0;
            let mut all = world.query::<(Entity, &Transform)>();
            for (entity, transform) in all.iter(world) {
                assert!(transform.is_finite(), "{scene:?}: {transform:?}");
                begin.entry(entity).or_insert(*transform);
            }
            let mut agents = world.query::<(Entity, &Transform, &Vehicle)>();
            for (entity, transform, vehicle) in agents.iter(world) {
                if vehicle.max_speed == 0.0 {
                    continue;
                }
                let place = transform.translation;
                let last = since.entry(entity).or_insert((place, time));
                if place.distance(last.0) > vehicle.radius {
                    *last = (place, time);
                } else if time - last.1 > STUCK_SECONDS && !RESTING.contains(&scene.name) {
                    stuck.push((entity, place));
                    *last = (place, time);
                }
            }
        });
        assert!(stuck.is_empty(), "{scene:?}: agents are stuck: {stuck:?}");
        let moved = play.all::<(Entity, &Transform), With<Vehicle>, _>(|(entity, transform)| {
            let before = begin[&entity];
            let turned = transform.rotation.angle_between(before.rotation) > 0.1;
            turned || transform.translation.distance(before.translation) > 0.5
        });
        let count = moved.iter().filter(|moved| **moved).count();
        assert!(count > 0 && count * 10 >= moved.len() * 8, "{scene:?}: only {count} moved");
        let is_inside = |place: Vec3| match scene.view {
            View::Flat => place.truncate().abs().cmple(ARENA + 0.01).all(),
            View::Ground => place.abs().xz().cmple(GROUND + 0.01).all() && place.y == 0.0,
            View::Space => place.abs().cmple(TANK + 0.01).all(),
        };
        let outside = play.all::<&Transform, With<Vehicle>, _>(|at| at.translation);
        let outside: Vec<_> = outside.into_iter().filter(|place| !is_inside(*place)).collect();
        assert!(outside.is_empty(), "{scene:?}: agents are outside the view: {outside:?}");
    }
}

#[test]
fn names_are_unique_and_captions_fit_a_line() {
    let names: HashSet<_> = SCENES.iter().map(|scene| scene.name).collect();
    assert_eq!(names.len(), SCENES.len());
    for scene in SCENES {
        // Letters of 15 px in the width of the view.
        assert!(scene.caption.len() <= 150, "{scene:?}: {}", scene.caption.len());
        assert!(!scene.title.is_empty() && !scene.caption.is_empty());
        let after = scenes::adjacent(scene, true);
        assert_eq!(scenes::adjacent(after, false).name, scene.name);
    }
    assert_eq!(scenes::listing().lines().count(), SCENES.len());
}

#[test]
fn every_behavior_is_in_a_scene() {
    let mut missing: Option<HashSet<&str>> = None;
    let mut play = Play::new("seek");
    for scene in SCENES {
        show(play.world(), scene);
        play.run(0.1);
        let world = play.world();
        let missing = missing.get_or_insert_with(|| {
            let behaviors = world.resource::<BehaviorRegistry>().iter();
            // A wish is the game's own.
            behaviors.map(|behavior| behavior.name).filter(|&name| name != "Wish").collect()
        });
        let behaviors: Vec<_> = world
            .resource::<BehaviorRegistry>()
            .iter()
            .map(|behavior| (behavior.type_id, behavior.name))
            .collect();
        for (type_id, name) in behaviors {
            let Some(id) = world.components().get_id(type_id) else { continue };
            let is_there = world
                .archetypes()
                .iter()
                .any(|archetype| archetype.contains(id) && !archetype.is_empty());
            if is_there {
                missing.remove(name);
            }
        }
    }
    assert_eq!(missing, Some(HashSet::new()));
}

#[test]
fn scene_does_not_depend_on_the_previous_one() {
    let state = |play: &mut Play| {
        let mut places = play.all::<(&AgentId, &Transform), With<Vehicle>, _>(|(id, at)| {
            (id.0, at.translation.to_array().map(f32::to_bits))
        });
        places.sort_unstable();
        places
    };
    let mut fresh = Play::new("flock");
    fresh.run(3.0);
    let expected = state(&mut fresh);
    let mut other = Play::new("school");
    other.run(1.0);
    show(other.world(), scenes::find("flock").unwrap());
    other.run(3.0);
    assert_eq!(state(&mut other), expected);
}

#[test]
fn controls_of_all_scenes_run() {
    let context = egui::Context::default();
    let mut play = Play::new("seek");
    for scene in SCENES {
        show(play.world(), scene);
        for switch in scene.switches {
            let before = (switch.is_on)(play.world());
            switch.toggle(play.world());
            assert_ne!((switch.is_on)(play.world()), before, "{scene:?}: {}", switch.name);
            play.run(0.1);
            switch.toggle(play.world());
        }
        let Some(controls) = scene.controls else { continue };
        let world = play.world();
        let mut output = context.run_ui(egui::RawInput::default(), |ui| controls(world, ui));
        // There is no renderer to upload the textures to; egui panics where they are forgotten.
        output.textures_delta.clear();
        play.run(0.5);
    }
}
