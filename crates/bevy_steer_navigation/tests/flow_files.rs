//! Flow fields from files: loaded, copied, and again when they change.

use std::{fs, path::PathBuf};

use bevy::{
    asset::{LoadState, UntypedAssetId},
    prelude::*,
};
use bevy_steer_navigation::{FlowField, FlowFieldAssetPlugin, NavigationPlugin, UseFlowField};
use bevy_steer_tests::asset_files::{app_with_assets, run_until};

/// A folder of this test, and an app that loads assets from it.
fn app(name: &str) -> (App, PathBuf) {
    let (mut app, folder) = app_with_assets(name);
    app.add_plugins((NavigationPlugin::default(), FlowFieldAssetPlugin));
    (app, folder)
}

fn field(app: &App, entity: Entity) -> FlowField {
    app.world().get::<FlowField>(entity).unwrap().clone()
}

const RIVER: &str = "// Two cells.
(
    min: (-3.0, -2.0),
    cell_size: 2.0,
    columns: 2,
    rows: 1,
    vectors: [
        (1.0, 0.0),
        (0.5, -0.5),
    ],
)";

fn river() -> FlowField {
    let vectors = [Vec2::X, Vec2::new(0.5, -0.5)];
    FlowField::new(Vec2::new(-3.0, -2.0), 2.0, 2, 1, vectors).unwrap()
}

#[test]
fn an_entity_gets_the_field_of_a_file_and_follows_its_changes() {
    let (mut app, folder) = app("flow_file");
    fs::write(folder.join("river.flow.ron"), RIVER).unwrap();
    let handle: Handle<FlowField> = app.world().resource::<AssetServer>().load("river.flow.ron");
    let entity = app.world_mut().spawn(UseFlowField { field: handle.clone() }).id();
    assert_eq!(field(&app, entity), FlowField::default());
    run_until(&mut app, |world| world.get::<FlowField>(entity) == Some(&river()));

    // The game changes it, and it stays until the file changes.
    let own = FlowField::from_fn(Vec2::ZERO, 1.0, 1, 1, |_| Vec2::Y).unwrap();
    app.world_mut().entity_mut(entity).insert(own.clone());
    (0..3).for_each(|_| app.update());
    assert_eq!(field(&app, entity), own);
    fs::write(folder.join("river.flow.ron"), RIVER.replace("0.5", "0.25")).unwrap();
    app.world().resource::<AssetServer>().reload("river.flow.ron");
    run_until(&mut app, |world| {
        world.get::<FlowField>(entity).unwrap().vectors().contains(&Vec2::new(0.25, -0.25))
    });
    // A wrong one changes nothing.
    let before = field(&app, entity);
    fs::write(folder.join("river.flow.ron"), "(").unwrap();
    app.world().resource::<AssetServer>().reload("river.flow.ron");
    let id = UntypedAssetId::from(handle.id());
    run_until(&mut app, |world| {
        let state = world.resource::<AssetServer>().get_load_state(id);
        matches!(state, Some(LoadState::Failed(_)))
    });
    (0..3).for_each(|_| app.update());
    assert_eq!(field(&app, entity), before);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn one_that_comes_later_gets_the_field_that_is_loaded_already() {
    let (mut app, folder) = app("flow_later");
    let handle = app.world_mut().resource_mut::<Assets<FlowField>>().add(river());
    (0..3).for_each(|_| app.update());
    let entity = app.world_mut().spawn(UseFlowField { field: handle.clone() }).id();
    app.update();
    assert_eq!(field(&app, entity), river());
    // Another file on the same entity.
    let other = FlowField::from_fn(Vec2::ZERO, 1.0, 2, 2, |_| Vec2::Y).unwrap();
    let other_handle = app.world_mut().resource_mut::<Assets<FlowField>>().add(other.clone());
    app.world_mut().get_mut::<UseFlowField>(entity).unwrap().field = other_handle;
    app.update();
    assert_eq!(field(&app, entity), other);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn errors_have_the_line_and_the_reason() {
    let (mut app, folder) = app("flow_errors");
    let cases = [
        ("(\n  min: (0.0, 0.0),\n  cell_size: much,\n)", "line 3"),
        (&RIVER.replace("(1.0, 0.0)", "(NaN, 0.0)"), "line 8"),
        (&RIVER.replace("(0.5, -0.5)", "(inf, -0.5)"), "line 9"),
        (&RIVER.replace("cell_size: 2.0", "cell_size: 0.0"), "line 4"),
        (&RIVER.replace("(-3.0, -2.0)", "(-3.0, 1e20)"), "line 3"),
        (&RIVER.replace("columns: 2", "columns: 3"), "3 cells, but there are 2 vectors"),
        (&RIVER.replace("columns: 2", "columns: -2"), "line 5"),
        (&RIVER.replace("cell_size", "cellsize"), "cellsize"),
        (&RIVER.replace("    rows: 1,\n", ""), "rows"),
        (&RIVER.replace("0.0),", "0.0, 0.0),"), "line 8"),
        ("", "line 1"),
    ];
    for (i, (text, part)) in cases.into_iter().enumerate() {
        let file = format!("{i}.flow.ron");
        fs::write(folder.join(&file), text).unwrap();
        let handle: Handle<FlowField> = app.world().resource::<AssetServer>().load(file);
        let id = UntypedAssetId::from(handle.id());
        let state = |world: &World| world.resource::<AssetServer>().get_load_state(id);
        run_until(&mut app, |world| {
            matches!(state(world), Some(LoadState::Failed(_) | LoadState::Loaded))
        });
        let Some(LoadState::Failed(error)) = state(app.world()) else { panic!("loaded: {text}") };
        let error = error.to_string();
        println!("{error}");
        assert!(error.contains(part), "{text}\n{error}");
    }
    fs::remove_dir_all(folder).unwrap();
}
