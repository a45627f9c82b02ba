//! A text field over the scene, and keys that are pressed in a window.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
    },
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext, egui};

/// A text field of the game, over the scene.
#[derive(Resource, Default)]
pub struct Field {
    pub text: String,
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

/// Adds the field to an app.
pub fn add(app: &mut App) {
    app.init_resource::<Field>().add_systems(EguiPrimaryContextPass, show_field);
}

/// Gives the field the keyboard, or takes it away.
pub fn focus(app: &mut App, is_focused: bool) {
    app.world_mut().resource_mut::<Field>().is_focused = is_focused;
    (0..3).for_each(|_| app.update());
}

/// Presses and releases a key, which types a text.
pub fn press(app: &mut App, key_code: KeyCode, text: Option<&str>) {
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
