//! The example runs and shows what it promises: with all of Bevy's plugins, but without a window
//! and a graphics card.
#![allow(dead_code, reason = "the `main` of the example, which opens a window")]

use bevy::prelude::*;
use bevy_steer_formations::{Formation, FormationFormed};
use bevy_steer_tests::windowless::without_window;

#[path = "../examples/formation.rs"]
mod formation;

#[derive(Resource, Default)]
struct Formed(usize);

#[test]
fn formation_goes_from_place_to_place_in_all_patterns() {
    let mut app = without_window(formation::game);
    app.init_resource::<Formed>();
    app.add_observer(|_: On<FormationFormed>, mut formed: ResMut<Formed>| formed.0 += 1);
    let (mut together, mut ticks) = (0.0, 0);
    for _ in 0..150 * 64 {
        app.update();
        let world = app.world_mut();
        let formation = world.query::<&Formation>().single(world).expect("one formation");
        together += formation.cohesion();
        ticks += 1;
    }
    let reached = app.world().resource::<formation::Tour>().reached;
    let formed = app.world().resource::<Formed>().0;
    assert!(reached >= 6, "{reached}");
    assert!(formed >= 5, "{formed}");
    let share = together / ticks as f32;
    assert!(share > 0.4, "{share}");
    let world = app.world_mut();
    let longest = world.query::<&Text>().iter(world).map(|text| text.0.len()).max().unwrap_or(0);
    assert!(longest > 25, "no sentence says what to look at");
}

#[test]
fn no_example_is_left_out() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    // The published package has no README of the repository.
    let readme = std::fs::read_to_string(package.join("../../README.md")).unwrap_or_default();
    for file in std::fs::read_dir(package.join("examples")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(include_str!("examples.rs").contains(&format!("{name}::game")), "{name}");
        assert!(readme.is_empty() || readme.contains(&format!("| `{name}` |")), "{name}");
    }
}
