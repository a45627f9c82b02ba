//! The key that opens and closes the panel, in an app with all of Bevy's plugins.

mod common;

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, SteeringInspectorPlugin};
use common::headless;

/// A text field of the game, over the scene.
#[derive(Resource, Default)]
struct Field {
    text: String,
    is_focused: bool,
}

fn show_field(
    mut contexts: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut field: ResMut<Field>,
) {
    let Ok(mut context) = contexts.single_mut() else { return };
    egui::Area::new("field".into()).show(context.get_mut(), |ui| {
        let response = ui.text_edit_singleline(&mut field.text);
        if field.is_focused { response.request_focus() } else { response.surrender_focus() }
    });
}

fn game(key: KeyCode) -> App {
    let mut app = App::new();
    let inspector = SteeringInspectorPlugin::default().with_key(key);
    app.add_plugins((headless(), SteeringPlugin::default(), inspector))
        .init_resource::<Field>()
        .add_systems(EguiPrimaryContextPass, show_field);
    app.finish();
    app.cleanup();
    (0..3).for_each(|_| app.update());
    app
}

fn press(app: &mut App, key_code: KeyCode, text: Option<&str>) {
    let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    let window = windows.single(app.world()).expect("a window");
    let logical_key = text.map_or(Key::F1, |text| Key::Character(text.into()));
    for state in [ButtonState::Pressed, ButtonState::Released] {
        let text = text.map(Into::into);
        let logical_key = logical_key.clone();
        let press = KeyboardInput { key_code, logical_key, state, text, repeat: false, window };
        app.world_mut().write_message(press);
        app.update();
    }
}

fn focus(app: &mut App, is_focused: bool) {
    app.world_mut().resource_mut::<Field>().is_focused = is_focused;
    (0..3).for_each(|_| app.update());
}

fn is_open(app: &App) -> bool {
    app.world().resource::<Inspector>().is_open
}

#[test]
fn letter_in_a_text_field_does_not_close_the_panel() {
    let mut app = game(KeyCode::KeyI);
    focus(&mut app, true);
    press(&mut app, KeyCode::KeyI, Some("i"));
    assert!(is_open(&app));
    assert_eq!(app.world().resource::<Field>().text, "i");
    focus(&mut app, false);
    press(&mut app, KeyCode::KeyI, Some("i"));
    assert!(!is_open(&app));
}

#[test]
fn function_key_works_while_a_text_field_has_the_keyboard() {
    let mut app = game(KeyCode::F1);
    focus(&mut app, true);
    press(&mut app, KeyCode::F1, None);
    assert!(!is_open(&app));
    press(&mut app, KeyCode::F1, None);
    assert!(is_open(&app));
}
