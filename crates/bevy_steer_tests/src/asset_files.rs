//! Apps that load assets from files which a test writes.

use std::{fs, path::PathBuf};

use bevy::prelude::*;
use bevy_steer::SteeringPlugin;

/// A folder of the test with this name, and an app that loads assets from it.
pub fn app_with_assets(name: &str) -> (App, PathBuf) {
    let folder = std::env::temp_dir().join(format!("bevy_steer_{name}_{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let assets = AssetPlugin { file_path: folder.display().to_string(), ..default() };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, assets, SteeringPlugin::default()));
    (app, folder)
}

/// Runs until this is true of the world, for as long as files may take.
pub fn run_until(app: &mut App, is_done: impl Fn(&World) -> bool) {
    for _ in 0..10_000 {
        app.update();
        if is_done(app.world()) {
            return;
        }
        std::thread::sleep(core::time::Duration::from_millis(1));
    }
    panic!("it is not loaded");
}
