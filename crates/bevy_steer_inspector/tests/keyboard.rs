//! The key that opens and closes the panel, in an app with all of Bevy's plugins.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, SteeringInspectorPlugin};
use bevy_steer_tests::text_field::{self, Field, focus, press};

use crate::common::headless;

fn game(key: impl Into<Option<KeyCode>>) -> App {
    let mut app = App::new();
    let inspector = SteeringInspectorPlugin::default().with_key(key);
    app.add_plugins((headless(), SteeringPlugin::default(), inspector));
    text_field::add(&mut app);
    app.finish();
    app.cleanup();
    (0..3).for_each(|_| app.update());
    app
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

#[test]
fn without_a_key_the_panel_stays_as_it_is() {
    assert_eq!(SteeringInspectorPlugin::default().with_key(None).toggle_key, None);
    let mut app = game(None);
    press(&mut app, KeyCode::F1, None);
    assert!(is_open(&app));
}
