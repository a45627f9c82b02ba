//! How the sources hang together: imports point down, and a new behaviour is added in few places.

mod code;
mod documents;
mod imports;
mod modules;
mod names;
mod rules;
mod words;

use std::path::{Path, PathBuf};

use imports::Crate;
use rules::{Layers, against_layers, circles};

/// Folders of `bevy_steer`, the lowest first. What is in no folder is above all of them.
const LAYERS: Layers = &[
    &["simd"],
    &["space"],
    &["grid", "ecs"],
    &["agent"],
    &["neighbors"],
    &["obstacles", "path"],
    &["behavior"],
    &["sensing"],
    &["pipeline"],
    &["behaviors"],
    &["debug"],
];

/// Folders and files of `bevy_steer_inspector`, the lowest first.
const INSPECTOR_LAYERS: Layers = &[
    &["accessible", "style", "state"],
    &["reflection", "reset"],
    &["editors"],
    &["change"],
    &["agents", "sections", "presets", "world"],
    &["selected"],
    &["panel"],
    &["window"],
];

/// Folders and files of `bevy_steer_navigation`, the lowest first.
const NAVIGATION_LAYERS: Layers = &[
    &["events", "planar", "field"],
    &["planner", "settings"],
    &["navigate_to"],
    &["jobs", "map"],
    &["grid", "mesh"],
    &["navigate", "stand_on_map", "flow"],
    &["plugin", "state"],
];

/// Files of `bevy_steer_formations`, the lowest first.
const FORMATION_LAYERS: Layers = &[
    &["events", "frame", "pattern"],
    &["assignment", "formation"],
    &["measure", "wait"],
    &["members"],
    &["arrangement"],
    &["asset", "form_up"],
    &["plugin", "state"],
];

/// Files of `bevy_steer_physics`, the lowest first. `shape_parts` and `nearest_points` are parts of
/// `dim2` and of `dim3`.
const PHYSICS_LAYERS: Layers = &[
    &["part", "settings"],
    &["ground", "engine"],
    &["convex", "generated"],
    &["dim2", "dim3", "motion"],
    &["measure", "bodies", "obstacles", "rays"],
    &["plugin"],
];

/// The folder of the workspace's crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn assert_layered(name: &str, layers: Layers) {
    let sources = Crate::read(&crates().join(name).join("src"));
    assert!(sources.imports().len() > 25, "the sources of {name} were not understood");
    let mut violations = against_layers(&sources, layers);
    violations.extend(circles(&sources));
    assert!(violations.is_empty(), "{name}:\n{}", violations.join("\n"));
}

#[test]
fn imports_of_the_crate_point_down() {
    assert_layered("bevy_steer", LAYERS);
}

#[test]
fn imports_of_the_inspector_point_down() {
    assert_layered("bevy_steer_inspector", INSPECTOR_LAYERS);
}

#[test]
fn imports_of_the_physics_crate_point_down() {
    assert_layered("bevy_steer_physics", PHYSICS_LAYERS);
}

#[test]
fn imports_of_the_formation_crate_point_down() {
    assert_layered("bevy_steer_formations", FORMATION_LAYERS);
}

#[test]
fn imports_of_the_navigation_crate_point_down() {
    assert_layered("bevy_steer_navigation", NAVIGATION_LAYERS);
}
