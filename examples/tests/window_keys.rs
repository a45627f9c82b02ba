//! The keys in the windows of the gallery and of hunter/prey: all plugins of these, without a
//! display or a GPU.

use bevy::{
    log::LogPlugin,
    prelude::*,
    render::{RenderPlugin, settings::WgpuSettings},
    time::TimeUpdateStrategy,
    window::{PrimaryWindow, WindowResized},
    winit::WinitPlugin,
};
use bevy_egui::{
    EguiContext, PrimaryEguiContext,
    egui::{self, PanelState},
};
use bevy_steer::{AgentId, SteeringTrace, prelude::*};
use bevy_steer_examples::{
    gallery::{self, scenes, stage::CurrentScene, window::GalleryWindowPlugin},
    hunter_prey::{self, mouse::Lure, window::GameWindowPlugin},
    palette,
    stress::{
        self,
        window::{Setup, StressWindowPlugin},
    },
};
use bevy_steer_inspector::{Inspector, PanelWidth, Side};
use bevy_steer_tests::text_field::{self, Field, focus, press};
use clap::Parser;

fn open(window: impl Plugin) -> App {
    let settings = WgpuSettings { backends: None, ..default() };
    let plugins = DefaultPlugins
        .set(RenderPlugin { render_creation: settings.into(), ..default() })
        .disable::<WinitPlugin>()
        .disable::<LogPlugin>();
    let mut app = App::new();
    app.add_plugins((plugins, window));
    text_field::add(&mut app);
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.finish();
    app.cleanup();
    (0..5).for_each(|_| app.update());
    app
}

pub(crate) fn open_gallery(scene: &str) -> App {
    let options = gallery::options::Options::parse_from(["gallery", "--scene", scene]);
    open(GalleryWindowPlugin { options })
}

pub(crate) fn open_hunter_prey() -> App {
    open(GameWindowPlugin { options: hunter_prey::options::Options::default() })
}

pub(crate) fn open_stress(arguments: &[&str]) -> App {
    let arguments = ["stress"].iter().chain(arguments);
    open(StressWindowPlugin { options: stress::options::Options::parse_from(arguments) })
}

/// What keys of all windows change: pause, speed, and whether gizmos are drawn.
fn of_all_windows(app: &App) -> (bool, f32, bool) {
    let time = app.world().resource::<Time<Virtual>>();
    let gizmos = app.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().0.enabled;
    (time.is_paused(), time.relative_speed(), gizmos)
}

/// Presses each of these keys while the field has the keyboard, when nothing may change, and then
/// while it has not, when everything must.
fn assert_keys_wait_for_the_field<T: PartialEq + core::fmt::Debug>(
    app: &mut App,
    keys: &[(KeyCode, &str)],
    state: impl Fn(&mut App) -> T,
) {
    for &(key, text) in keys {
        app.world_mut().resource_mut::<Field>().text.clear();
        focus(app, true);
        let before = state(app);
        press(app, key, Some(text));
        assert_eq!(app.world().resource::<Field>().text, text, "{key:?} is typed");
        assert_eq!(state(app), before, "{key:?} in a text field");
        focus(app, false);
        let before = state(app);
        press(app, key, Some(text));
        assert_ne!(state(app), before, "{key:?}");
    }
}

const TIME_AND_GIZMOS: [(KeyCode, &str); 3] =
    [(KeyCode::KeyG, "g"), (KeyCode::Comma, ","), (KeyCode::Space, " ")];

#[test]
fn keys_of_the_gallery_wait_while_a_text_field_has_the_keyboard() {
    let mut app = open_gallery("one-vehicle");
    assert_keys_wait_for_the_field(&mut app, &TIME_AND_GIZMOS, |app| of_all_windows(app));
    let switches = |app: &mut App| -> Vec<bool> {
        let all = scenes::find("one-vehicle").unwrap().switches;
        all.iter().map(|switch| (switch.is_on)(app.world_mut())).collect()
    };
    let keys = [(KeyCode::Digit1, "1"), (KeyCode::Digit2, "2"), (KeyCode::Digit3, "3")];
    assert_keys_wait_for_the_field(&mut app, &keys, switches);
    let scene = |app: &mut App| app.world().resource::<CurrentScene>().0.name;
    let keys = [(KeyCode::KeyN, "n"), (KeyCode::KeyP, "p")];
    assert_keys_wait_for_the_field(&mut app, &keys, scene);
}

#[test]
fn keys_of_hunter_prey_wait_while_a_text_field_has_the_keyboard() {
    let mut app = open_hunter_prey();
    assert_keys_wait_for_the_field(&mut app, &TIME_AND_GIZMOS, |app| of_all_windows(app));
    let edge = |app: &mut App| app.world().resource::<WorldBounds>().edge;
    assert_keys_wait_for_the_field(&mut app, &[(KeyCode::KeyE, "e")], edge);
    app.world_mut().spawn((Lure, Transform::IDENTITY));
    let lures = |app: &mut App| {
        app.world_mut().query_filtered::<(), With<Lure>>().iter(app.world()).count()
    };
    assert_keys_wait_for_the_field(&mut app, &[(KeyCode::KeyC, "c")], lures);
    let agents = |app: &mut App| -> Vec<Entity> {
        app.world_mut().query_filtered::<Entity, With<AgentId>>().iter(app.world()).collect()
    };
    assert_keys_wait_for_the_field(&mut app, &[(KeyCode::KeyR, "r")], agents);
}

#[test]
fn question_mark_shows_the_keys_wherever_it_is() {
    let mut app = open_hunter_prey();
    let is_shown = |app: &mut App| {
        let mut texts = app.world_mut().query::<(&Text, &Visibility)>();
        let is_list = |text: &Text| text.contains("Home");
        let mut lists = texts.iter(app.world()).filter(|(text, _)| is_list(text));
        *lists.next().expect("the list of keys").1 != Visibility::Hidden
    };
    assert!(!is_shown(&mut app));
    for (key, text) in
        [(KeyCode::Slash, "?"), (KeyCode::Minus, "?"), (KeyCode::Comma, "?"), (KeyCode::KeyH, "h")]
    {
        let before = is_shown(&mut app);
        press(&mut app, key, Some(text));
        assert_ne!(is_shown(&mut app), before, "{key:?} types {text}");
        assert_eq!(of_all_windows(&app).1, 1.0);
    }
    // The German key at the place of the English `?`.
    press(&mut app, KeyCode::Slash, Some("-"));
    assert!(!is_shown(&mut app));
}

#[test]
fn pause_of_a_window_records_all_agents_for_the_panel() {
    let mut app = open_gallery("one-vehicle");
    let recorded = |app: &mut App| {
        let mut traces = app.world_mut().query_filtered::<Has<SteeringTrace>, With<Vehicle>>();
        traces.iter(app.world()).collect::<Vec<_>>()
    };
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    app.update();
    assert!(!recorded(&mut app).contains(&true));
    press(&mut app, KeyCode::Space, None);
    assert!(of_all_windows(&app).0);
    assert!(!recorded(&mut app).contains(&false));
}

/// Where the gallery's list of scenes is, and the left end of the scene.
fn places_in_the_gallery(app: &mut App) -> (egui::Rect, f32) {
    (0..5).for_each(|_| app.update());
    let mut cameras = app.world_mut().query::<&Camera>();
    let scene = cameras.iter(app.world()).find_map(Camera::logical_viewport_rect);
    let mut contexts =
        app.world_mut().query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let mut context = contexts.single_mut(app.world_mut()).expect("one context");
    let list = PanelState::load(context.get_mut(), egui::Id::new("scenes"));
    (list.expect("the list").outer_rect, scene.expect("a scene").min.x)
}

#[test]
fn inspector_at_the_left_covers_neither_the_list_nor_the_scene() {
    let mut app = open_gallery("one-vehicle");
    let mut inspector = app.world_mut().resource_mut::<Inspector>();
    (inspector.is_open, inspector.side) = (true, Side::Left);
    let (list, scene) = places_in_the_gallery(&mut app);
    let width = app.world().resource::<PanelWidth>().left;
    assert!(width > 200.0 && list.left() >= width, "{list} and {width}");
    assert!(list.right() <= scene + 1.0, "{list} and {scene}");
    app.world_mut().resource_mut::<Inspector>().side = Side::Right;
    let (list, scene) = places_in_the_gallery(&mut app);
    assert!(list.left() == 0.0 && list.right() <= scene + 1.0, "{list} and {scene}");
}

#[test]
fn list_in_a_low_window_keeps_its_width_and_ends_with_the_window() {
    let mut app = open_gallery("one-vehicle");
    let (before, _) = places_in_the_gallery(&mut app);
    let (width, height) = (1280.0, 300.0);
    let mut windows =
        app.world_mut().query_filtered::<(Entity, &mut Window), With<PrimaryWindow>>();
    let (window, mut shown) = windows.single_mut(app.world_mut()).expect("the window");
    shown.resolution.set(width, height);
    app.world_mut().write_message(WindowResized { window, width, height });
    let (list, scene) = places_in_the_gallery(&mut app);
    assert!(list.width() == before.width() && list.bottom() <= height + 1.0, "{before}: {list}");
    assert!(list.right() <= scene + 1.0, "{list} and {scene}");
}

#[test]
fn keys_1_to_5_switch_the_behaviors_of_one_vehicle() {
    let mut app = open_gallery("one-vehicle");
    let switches = scenes::find("one-vehicle").unwrap().switches;
    let names: Vec<&str> = switches.iter().map(|switch| switch.name).collect();
    assert_eq!(names, ["Seek", "Flee", "Arrive, slow", "Arrive, normal", "Arrive, fast"]);
    let keys =
        [KeyCode::Digit1, KeyCode::Digit2, KeyCode::Digit3, KeyCode::Digit4, KeyCode::Digit5];
    for (key, switch) in keys.into_iter().zip(switches) {
        let before = (switch.is_on)(app.world_mut());
        press(&mut app, key, None);
        assert_ne!((switch.is_on)(app.world_mut()), before, "{}", switch.name);
        press(&mut app, key, None);
        assert_eq!((switch.is_on)(app.world_mut()), before, "{}", switch.name);
    }
}

#[test]
fn force_of_one_vehicle_is_drawn_in_red() {
    let app = open_gallery("one-vehicle");
    let (config, gizmos) = app.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>();
    assert!(config.enabled);
    assert_eq!(gizmos.force, Some(palette::RED));
}

#[test]
fn plus_and_minus_double_and_halve_the_crowd() {
    let mut app = open_stress(&["--agents", "100"]);
    let count = |app: &mut App| {
        let mut agents = app.world_mut().query_filtered::<(), With<Vehicle>>();
        let agents = agents.iter(app.world()).count();
        let bounds = app.world().resource::<WorldBounds>();
        let area = (bounds.max - bounds.min).truncate().element_product();
        assert_eq!(app.world().resource::<Setup>().0.agents as usize, agents);
        assert!((area / agents as f32 - core::f32::consts::PI * 100.0 / 16.0).abs() < 0.1);
        // Flocks can be attracted and scared.
        let mut led = app.world_mut().query_filtered::<(), (With<Seek>, With<Flee>)>();
        assert_eq!(led.iter(app.world()).count(), agents);
        agents
    };
    assert_eq!(count(&mut app), 100);
    for (key, text, expected) in [
        (KeyCode::Equal, "=", 200),
        (KeyCode::NumpadAdd, "+", 400),
        (KeyCode::Minus, "-", 200),
        (KeyCode::NumpadSubtract, "-", 100),
        (KeyCode::Minus, "-", 50),
        // A German keyboard.
        (KeyCode::BracketRight, "+", 100),
        (KeyCode::Slash, "-", 50),
        (KeyCode::Minus, "?", 50),
    ] {
        press(&mut app, key, Some(text));
        app.update();
        assert_eq!(count(&mut app), expected, "{key:?} types {text}");
    }
    assert_eq!(app.world().resource::<Time<Virtual>>().relative_speed(), 1.0);
    press(&mut app, KeyCode::Period, Some("."));
    assert_eq!(app.world().resource::<Time<Virtual>>().relative_speed(), 2.0);
}

#[test]
fn mouse_buttons_attract_and_scare_the_crowd() {
    for plane in ["xy", "xz", "free"] {
        let mut app = open_stress(&["--agents", "200", "--plane", plane]);
        let mut windows = app.world_mut().query_filtered::<&mut Window, With<PrimaryWindow>>();
        let mut window = windows.single_mut(app.world_mut()).expect("the window");
        let middle = window.size() * 0.5;
        window.set_cursor_position(Some(middle));
        // How many agents are near the middle of the world, which the mouse points at.
        let near = |app: &mut App| {
            let bounds = app.world().resource::<WorldBounds>();
            let reach = 0.15 * (bounds.max - bounds.min).x;
            let mut agents = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
            agents.iter(app.world()).filter(|at| at.translation.length() < reach).count()
        };
        let hold = |app: &mut App, button, seconds: u32| {
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().press(button);
            (0..seconds * 64).for_each(|_| app.update());
            app.world_mut().resource_mut::<ButtonInput<MouseButton>>().release(button);
            app.update();
        };
        let before = near(&mut app);
        hold(&mut app, MouseButton::Left, 8);
        let attracted = near(&mut app);
        hold(&mut app, MouseButton::Right, 4);
        let scared = near(&mut app);
        let counts = format!("{plane}: {before}, {attracted}, {scared}");
        assert!(attracted > 3 * before && 4 * scared < attracted, "{counts}");
    }
}
