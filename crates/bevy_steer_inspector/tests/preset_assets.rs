//! Presets as assets: loaded from files, applied to agents, and again when they change.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::presets::{PresetAsset, PresetAssetPlugin, UsePreset};
use bevy_steer_tests::asset_files::{app_with_assets, run_until};

/// A folder of this test, and an app that loads assets from it.
fn app(name: &str) -> (App, PathBuf) {
    let (mut app, folder) = app_with_assets(name);
    app.add_plugins(PresetAssetPlugin);
    (app, folder)
}

const WOLF: &str = r#"(
    vehicle: (max_speed: 9.0, radius: 0.5),
    behaviors: {"Wander": (rate: 1.5), "Flee": (panic_distance: 4.0)},
)"#;

#[test]
fn an_agent_gets_the_preset_of_a_file() {
    let (mut app, folder) = app("file");
    fs::write(folder.join("wolf.preset.ron"), WOLF).unwrap();
    let preset: Handle<PresetAsset> = app.world().resource::<AssetServer>().load("wolf.preset.ron");
    let scaled = UsePreset { preset: preset.clone(), ..default() };
    let body = Vehicle::new(5.0).with_radius(1.0);
    let agent = app.world_mut().spawn((body, Seek::new(Vec2::X), scaled)).id();
    let with_body = UsePreset { preset, with_body: true, ..default() };
    let other = app.world_mut().spawn((Vehicle::default(), with_body)).id();
    run_until(&mut app, |world| world.get::<Wander>(agent).is_some());
    let world = app.world();
    assert_eq!(world.get::<Wander>(agent).unwrap().rate, 1.5);
    assert!(world.get::<Seek>(agent).is_none(), "a preset replaces all behaviours");
    // Twice as large, so twice as far.
    assert_eq!(world.get::<Flee>(agent).unwrap().panic_distance, Some(8.0));
    assert_eq!(world.get::<Vehicle>(agent), Some(&body));
    assert_eq!(world.get::<Flee>(other).unwrap().panic_distance, Some(4.0));
    assert_eq!(world.get::<Vehicle>(other).unwrap().max_speed, 9.0);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn agents_follow_changes_of_a_preset() {
    let (mut app, folder) = app("changes");
    let text = WOLF.to_owned();
    let preset = app.world_mut().resource_mut::<Assets<PresetAsset>>().add(PresetAsset { text });
    let agent = app.world_mut().spawn((Vehicle::default(), UsePreset { preset, ..default() })).id();
    let preset = app.world().get::<UsePreset>(agent).unwrap().preset.clone();
    (0..3).for_each(|_| app.update());
    assert!(app.world().get::<Wander>(agent).is_some());
    // What the player or the game changes stays until the file changes.
    app.world_mut().get_mut::<Wander>(agent).unwrap().rate = 3.0;
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().get::<Wander>(agent).unwrap().rate, 3.0);
    let set = |app: &mut App, text: &str| {
        let mut presets = app.world_mut().resource_mut::<Assets<PresetAsset>>();
        presets.get_mut(&preset).unwrap().text = text.to_owned();
        (0..3).for_each(|_| app.update());
    };
    // Wrong ones change nothing.
    for wrong in ["(behaviors: {\"Wander\": (rate: fast)})", "(", "(behaviors: {\"Fly\": ()})"] {
        set(&mut app, wrong);
        assert_eq!(app.world().get::<Wander>(agent).unwrap().rate, 3.0, "{wrong}");
    }
    set(&mut app, "(behaviors: {\"Wander\": (rate: 0.5)})");
    assert_eq!(app.world().get::<Wander>(agent).unwrap().rate, 0.5);
    assert!(app.world().get::<Flee>(agent).is_none());
    // One that is spawned later gets it too.
    let later = app.world_mut().spawn((Vehicle::default(), UsePreset { preset, ..default() })).id();
    app.update();
    assert_eq!(app.world().get::<Wander>(later).unwrap().rate, 0.5);
    fs::remove_dir_all(folder).unwrap();
}

/// An agent that uses this preset.
fn spawn(app: &mut App, preset: &Handle<PresetAsset>) -> Entity {
    let uses = UsePreset { preset: preset.clone(), ..default() };
    app.world_mut().spawn((Vehicle::default(), uses)).id()
}

fn rate(app: &App, agent: Entity) -> f32 {
    app.world().get::<Wander>(agent).expect("the preset").rate
}

#[test]
fn new_agents_get_what_was_in_a_broken_file_before() {
    let (mut app, folder) = app("broken");
    let text = WOLF.to_owned();
    let preset = app.world_mut().resource_mut::<Assets<PresetAsset>>().add(PresetAsset { text });
    let first = spawn(&mut app, &preset);
    (0..3).for_each(|_| app.update());
    app.world_mut().get_mut::<Wander>(first).unwrap().rate = 3.0;
    let mut presets = app.world_mut().resource_mut::<Assets<PresetAsset>>();
    presets.get_mut(&preset).unwrap().text = "(".to_owned();
    let at_once = spawn(&mut app, &preset);
    (0..3).for_each(|_| app.update());
    let later = spawn(&mut app, &preset);
    app.update();
    assert_eq!([first, at_once, later].map(|agent| rate(&app, agent)), [3.0, 1.5, 1.5]);
    fs::remove_dir_all(folder).unwrap();
}

/// The event of an asset comes a frame after the asset.
#[test]
fn a_preset_that_is_there_at_once_is_applied_once() {
    let (mut app, folder) = app("once");
    let text = WOLF.to_owned();
    let preset = app.world_mut().resource_mut::<Assets<PresetAsset>>().add(PresetAsset { text });
    let agent = spawn(&mut app, &preset);
    app.update();
    assert_eq!(rate(&app, agent), 1.5);
    app.world_mut().get_mut::<Wander>(agent).unwrap().rate = 3.0;
    (0..3).for_each(|_| app.update());
    assert_eq!(rate(&app, agent), 3.0);
    fs::remove_dir_all(folder).unwrap();
}
