//! The keys of the windows: one table, no key with two meanings.

use std::{collections::HashSet, fs, path::Path};

use bevy::{
    input::{
        ButtonState, InputPlugin,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
};
use bevy_egui::input::EguiWantsInput;
use bevy_steer_examples::keys::{Action, BINDINGS, KeysPlugin, help};
use bevy_steer_inspector::{Inspector, PickRequest, SteeringInspectorPlugin};

#[test]
fn no_key_and_no_action_has_two_meanings() {
    let (mut keys, mut characters) = <(HashSet<_>, HashSet<_>)>::default();
    let (mut names, mut meanings) = <(HashSet<_>, HashSet<_>)>::default();
    for (i, binding) in BINDINGS.iter().enumerate() {
        for key in binding.keys {
            assert!(keys.insert(key), "{key:?} has two meanings");
        }
        for character in binding.characters {
            assert!(characters.insert(character), "{character} has two meanings");
        }
        assert!(names.insert(binding.name) && meanings.insert(binding.meaning), "{binding:?}");
        assert!(BINDINGS[..i].iter().all(|other| other.action != binding.action), "{binding:?}");
    }
}

#[test]
fn inspector_and_readme_have_the_key_of_the_table() {
    let binding = BINDINGS.iter().find(|binding| binding.action == Action::Inspector).unwrap();
    assert_eq!(binding.keys, SteeringInspectorPlugin::default().toggle_key.as_slice());
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("Press {}", binding.name)));
    assert!(help(&[]).contains(&format!("{} {}", binding.name, binding.meaning)));
}

#[test]
fn examples_read_no_key_that_is_not_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = [
        "bevy_steer",
        "bevy_steer_avian",
        "bevy_steer_formations",
        "bevy_steer_navigation",
        "bevy_steer_rapier",
    ];
    let small = crates.map(|name| root.join(format!("../crates/{name}/examples")));
    let mut folders: Vec<_> = small.into_iter().chain([root.to_path_buf()]).collect();
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs")
                && !path.ends_with("common/keys.rs")
            {
                files += 1;
                let text = fs::read_to_string(&path).unwrap();
                // The arrows are left to games. A small example has no table: it may quit with Esc.
                let text = text.replace("KeyCode::Arrow", "");
                let is_small = path.components().any(|part| part.as_os_str() == "crates");
                let text = if is_small { text.replace("(KeyCode::Escape)", "") } else { text };
                assert!(!text.contains("KeyCode::"), "{} names a key", path.display());
            }
        }
    }
    assert!(files > 50, "{files} files");
}

/// The number of fixed ticks so far.
#[derive(Resource, Default)]
struct Ticks(u32);

/// An app with the keys that all windows have, without a window.
fn app(is_open: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, InputPlugin, KeysPlugin))
        .init_resource::<EguiWantsInput>()
        .init_resource::<Ticks>()
        .insert_resource(Inspector { is_open, ..default() })
        .add_systems(FixedUpdate, |mut ticks: ResMut<Ticks>| ticks.0 += 1);
    app.update();
    app
}

fn press(app: &mut App, key_code: KeyCode) {
    press_typing(app, key_code, Key::F1);
}

/// Presses a key that types a character on the user's layout.
fn press_typing(app: &mut App, key_code: KeyCode, logical_key: Key) {
    for state in [ButtonState::Pressed, ButtonState::Released] {
        app.world_mut().write_message(KeyboardInput {
            key_code,
            logical_key: logical_key.clone(),
            state,
            text: None,
            repeat: false,
            window: Entity::PLACEHOLDER,
        });
        app.update();
    }
}

#[test]
fn escape_leaves_the_inspector_before_the_app() {
    let mut app = app(true);
    let is_open = |app: &App| app.world().resource::<Inspector>().is_open;
    let path = "target".to_owned();
    let pick =
        PickRequest { component: core::any::TypeId::of::<()>(), name: "Seek".to_owned(), path };
    app.world_mut().resource_mut::<Inspector>().pick = Some(pick);
    press(&mut app, KeyCode::Escape);
    // It cancels the choice of a point, which the panel does.
    assert!(is_open(&app) && app.should_exit().is_none());
    app.world_mut().resource_mut::<Inspector>().pick = None;
    press(&mut app, KeyCode::Escape);
    assert!(!is_open(&app) && app.should_exit().is_none());
    press(&mut app, KeyCode::Escape);
    assert_eq!(app.should_exit(), Some(AppExit::Success));
}

#[test]
fn keys_control_time() {
    let mut app = app(false);
    let time = |app: &App| *app.world().resource::<Time<Virtual>>();
    press(&mut app, KeyCode::Space);
    assert!(time(&app).is_paused());
    let before = app.world().resource::<Ticks>().0;
    press(&mut app, KeyCode::KeyS);
    assert_eq!(app.world().resource::<Ticks>().0, before + 1);
    assert!(time(&app).is_paused());
    press(&mut app, KeyCode::Space);
    assert!(!time(&app).is_paused());
    // On a German keyboard `<` has a key of its own, and `>` is that with Shift.
    for (key, character, speed) in [
        (KeyCode::Comma, ",", 0.5),
        (KeyCode::Period, ".", 1.0),
        (KeyCode::IntlBackslash, "<", 0.5),
        (KeyCode::IntlBackslash, ">", 1.0),
    ] {
        press_typing(&mut app, key, Key::Character(character.into()));
        assert_eq!(time(&app).relative_speed(), speed, "{character}");
    }
    press(&mut app, KeyCode::Comma);
    assert_eq!(time(&app).relative_speed(), 1.0, "a key that types something else");
}

#[test]
fn signs_are_pressed_again_when_shift_was_released_first() {
    let mut app = app(false);
    let speed = |app: &App| app.world().resource::<Time<Virtual>>().relative_speed();
    let mut send = |character: &str, state, repeat| {
        app.world_mut().write_message(KeyboardInput {
            key_code: KeyCode::Period,
            logical_key: Key::Character(character.into()),
            state,
            text: None,
            repeat,
            window: Entity::PLACEHOLDER,
        });
        app.update();
        speed(&app)
    };
    for faster in [2.0, 4.0] {
        assert_eq!(send(">", ButtonState::Pressed, false), faster);
        assert_eq!(send(">", ButtonState::Pressed, true), faster, "held down");
        send(".", ButtonState::Released, false);
    }
}
