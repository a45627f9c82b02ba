//! Patterns from files, and again when they change.

use std::{fs, path::PathBuf};

use bevy::{asset::LoadState, prelude::*};
use bevy_steer::prelude::*;
use bevy_steer_formations::{
    Formation, FormationAssetPlugin, FormationPlugin, MemberOf, Pattern, UsePattern,
};
use bevy_steer_tests::asset_files::{app_with_assets, run_until};

/// A folder of this test, and an app that loads assets from it.
fn app(name: &str) -> (App, PathBuf) {
    let (mut app, folder) = app_with_assets(name);
    app.add_plugins((FormationPlugin, FormationAssetPlugin));
    (app, folder)
}

#[test]
fn a_formation_gets_the_pattern_of_a_file() {
    let (mut app, folder) = app("formation_file");
    let text = "// Scouts ahead.\nSlots([\n    (2.0, 1.0),\n    (2.0, -1.0),\n])\n";
    fs::write(folder.join("scouts.formation.ron"), text).unwrap();
    fs::write(folder.join("block.formation.ron"), "Block(columns: 4)").unwrap();
    let server = app.world().resource::<AssetServer>().clone();
    let spawn = |app: &mut App, file: &'static str| {
        let uses = UsePattern::new(server.load(file));
        app.world_mut().spawn((Vehicle::default(), uses)).id()
    };
    let [scouts, block] =
        ["scouts.formation.ron", "block.formation.ron"].map(|file| spawn(&mut app, file));
    let pattern = |world: &World, anchor| world.get::<Formation>(anchor).unwrap().pattern.clone();
    run_until(&mut app, |world| pattern(world, scouts) != Pattern::Wedge);
    run_until(&mut app, |world| pattern(world, block) != Pattern::Wedge);
    let slots = vec![Vec2::new(2.0, 1.0), Vec2::new(2.0, -1.0)];
    assert_eq!(pattern(app.world(), scouts), Pattern::Slots(slots));
    assert_eq!(pattern(app.world(), block), Pattern::Block { columns: 4 });
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_is_wrong_is_reported_with_its_line() {
    let (mut app, folder) = app("formation_wrong");
    for (name, text, expected) in [
        ("a", "Slots([\n    (2.0, 1.0),\n    (2.0; -1.0),\n])", "line 3, column 9: "),
        ("b", "\nRhombus", "line 2, column"),
        ("c", "Block(columns: -4)", "line 1, column"),
        ("d", "Block(columns: 4", "line 1, column"),
    ] {
        let file = format!("{name}.formation.ron");
        fs::write(folder.join(&file), text).unwrap();
        let pattern = app.world().resource::<AssetServer>().load::<Pattern>(file);
        let id = pattern.id();
        let anchor = app.world_mut().spawn((Vehicle::default(), UsePattern::new(pattern))).id();
        let state = |world: &World| world.resource::<AssetServer>().load_state(id);
        run_until(&mut app, |world| state(world).is_failed());
        let LoadState::Failed(error) = state(app.world()) else { unreachable!() };
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(app.world().get::<Formation>(anchor).unwrap().pattern, Pattern::Wedge);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn formations_follow_changes_of_a_pattern() {
    let (mut app, folder) = app("formation_changes");
    let handle = app.world_mut().resource_mut::<Assets<Pattern>>().add(Pattern::Line);
    let uses = UsePattern::new(handle.clone());
    let anchor = app.world_mut().spawn((Vehicle::default(), uses.clone())).id();
    app.world_mut().spawn(MemberOf(anchor));
    (0..3).for_each(|_| app.update());
    let pattern = |app: &App, anchor| app.world().get::<Formation>(anchor).unwrap().pattern.clone();
    assert_eq!(pattern(&app, anchor), Pattern::Line);
    // What the game changes stays until the file changes.
    app.world_mut().get_mut::<Formation>(anchor).unwrap().pattern = Pattern::Circle;
    (0..3).for_each(|_| app.update());
    assert_eq!(pattern(&app, anchor), Pattern::Circle);
    *app.world_mut().resource_mut::<Assets<Pattern>>().get_mut(&handle).unwrap() = Pattern::Column;
    (0..3).for_each(|_| app.update());
    assert_eq!(pattern(&app, anchor), Pattern::Column);
    // One that is spawned later gets it too.
    let later = app.world_mut().spawn(uses).id();
    app.update();
    assert_eq!(pattern(&app, later), Pattern::Column);
    fs::remove_dir_all(folder).unwrap();
}

/// The event of an asset comes a frame after the asset.
#[test]
fn a_pattern_that_is_there_at_once_is_copied_once() {
    let (mut app, folder) = app("formation_once");
    let pattern = app.world_mut().resource_mut::<Assets<Pattern>>().add(Pattern::Line);
    let anchor = app.world_mut().spawn((Vehicle::default(), UsePattern::new(pattern))).id();
    app.update();
    let mut formation = app.world_mut().get_mut::<Formation>(anchor).unwrap();
    assert_eq!(formation.pattern, Pattern::Line);
    formation.pattern = Pattern::Circle;
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().get::<Formation>(anchor).unwrap().pattern, Pattern::Circle);
    fs::remove_dir_all(folder).unwrap();
}

/// The components of a saved game, in which the formation had another pattern by then.
#[test]
fn a_loaded_formation_keeps_its_pattern() {
    let (mut app, folder) = app("loaded");
    let pattern = app.world_mut().resource_mut::<Assets<Pattern>>().add(Pattern::Line);
    let anchor = app.world_mut().spawn((Vehicle::default(), UsePattern::new(pattern))).id();
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().get::<Formation>(anchor).unwrap().pattern, Pattern::Line);
    app.world_mut().get_mut::<Formation>(anchor).unwrap().pattern = Pattern::Column;
    let saved = {
        let anchor = app.world().entity(anchor);
        (anchor.get::<Formation>().unwrap().clone(), anchor.get::<UsePattern>().unwrap().clone())
    };
    // Restored where it is, as by a rollback.
    app.world_mut().entity_mut(anchor).insert(saved.clone());
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().get::<Formation>(anchor).unwrap().pattern, Pattern::Column);
    app.world_mut().despawn(anchor);
    let loaded = app.world_mut().spawn((Vehicle::default(), saved)).id();
    (0..3).for_each(|_| app.update());
    assert_eq!(app.world().get::<Formation>(loaded).unwrap().pattern, Pattern::Column);
    fs::remove_dir_all(folder).unwrap();
}
