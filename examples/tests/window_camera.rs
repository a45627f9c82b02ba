//! The camera of the windows: it turns solid scenes, pans, follows agents and comes home.

use bevy::{
    input::{
        ButtonState,
        keyboard::{Key, KeyboardInput},
        mouse::{MouseButtonInput, MouseScrollUnit, MouseWheel},
        touch::TouchPhase,
    },
    prelude::*,
    window::{CursorMoved, PrimaryWindow},
};
use bevy_steer::prelude::*;
use bevy_steer_examples::camera::WindowCamera;
use bevy_steer_inspector::Inspector;
use bevy_steer_tests::text_field::press;

use crate::window_keys::{open_gallery, open_stress};

/// A point of the window in the middle of the scene, in pixels.
const MIDDLE: Vec2 = Vec2::new(756.0, 373.0);

fn window(app: &mut App) -> Entity {
    let mut windows = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    windows.single(app.world()).expect("the window")
}

fn point_at(app: &mut App, at: Vec2) {
    let window = window(app);
    let mut shown = app.world_mut().get_mut::<Window>(window).expect("the window");
    shown.set_cursor_position(Some(at));
    app.world_mut().write_message(CursorMoved { window, position: at, delta: None });
    app.update();
}

fn set_button(app: &mut App, button: MouseButton, state: ButtonState) {
    let window = window(app);
    app.world_mut().write_message(MouseButtonInput { button, state, window });
}

fn drag(app: &mut App, button: MouseButton, delta: Vec2) {
    let window = window(app);
    set_button(app, button, ButtonState::Pressed);
    app.world_mut().write_message(CursorMoved {
        window,
        position: MIDDLE + delta,
        delta: Some(delta),
    });
    app.update();
    set_button(app, button, ButtonState::Released);
    app.update();
}

/// Holds Shift down while something is done.
fn with_shift<T>(app: &mut App, does: impl FnOnce(&mut App) -> T) -> T {
    let window = window(app);
    let set = |app: &mut App, state| {
        app.world_mut().write_message(KeyboardInput {
            key_code: KeyCode::ShiftLeft,
            logical_key: Key::Shift,
            state,
            text: None,
            repeat: false,
            window,
        });
        app.update();
    };
    set(app, ButtonState::Pressed);
    let result = does(app);
    set(app, ButtonState::Released);
    result
}

fn turn_wheel(app: &mut App, lines: f32) {
    let window = window(app);
    let (unit, phase) = (MouseScrollUnit::Line, TouchPhase::Moved);
    app.world_mut().write_message(MouseWheel { unit, x: 0.0, y: lines, window, phase });
    app.update();
}

fn camera(app: &mut App) -> (Transform, f32) {
    let mut cameras =
        app.world_mut().query_filtered::<(&Transform, &Projection), With<WindowCamera>>();
    let (place, projection) = cameras.single(app.world()).expect("the camera");
    let scale = if let Projection::Orthographic(flat) = projection { flat.scale } else { 1.0 };
    (*place, scale)
}

fn pause(app: &mut App) {
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    app.update();
}

#[test]
fn a_drag_turns_a_solid_scene_about_its_middle_and_the_wheel_comes_nearer() {
    for (scene, middle) in [("school", Vec3::NEG_Y), ("ground", Vec3::Z * 0.8)] {
        let mut app = open_gallery(scene);
        pause(&mut app);
        point_at(&mut app, MIDDLE);
        let (home, _) = camera(&mut app);
        drag(&mut app, MouseButton::Right, Vec2::new(120.0, 30.0));
        let (turned, _) = camera(&mut app);
        assert!(turned.translation.distance(home.translation) > 5.0, "{scene}: {turned:?}");
        for place in [home, turned] {
            let off = (middle - place.translation).cross(*place.forward()).length();
            assert!(off < 0.1, "{scene}: {off} beside the line of sight");
        }
        turn_wheel(&mut app, 5.0);
        let (near, _) = camera(&mut app);
        assert!(near.translation.length() < 0.9 * turned.translation.length(), "{scene}");
        press(&mut app, KeyCode::Home, None);
        app.update();
        assert!(camera(&mut app).0.translation.distance(home.translation) < 0.01, "{scene}");
    }
}

#[test]
fn an_agent_that_is_followed_is_zoomed_to_and_zooming_goes_on() {
    let mut app = open_gallery("flock");
    pause(&mut app);
    let whole = camera(&mut app);
    let mut agents = app.world_mut().query_filtered::<(Entity, &Transform), With<Vehicle>>();
    let (agent, place) = agents.iter(app.world()).nth(20).expect("a bird");
    let place = place.translation;
    let mut inspector = app.world_mut().resource_mut::<Inspector>();
    inspector.is_open = true;
    inspector.select(Some(agent));
    inspector.follows = true;
    (0..200).for_each(|_| app.update());
    let (camera_place, scale) = camera(&mut app);
    assert!(camera_place.translation.xy().distance(place.xy()) < 0.5, "{camera_place:?}");
    assert!(scale < 0.85 * whole.1, "{scale}");
    point_at(&mut app, MIDDLE - Vec2::X * 100.0);
    turn_wheel(&mut app, 3.0);
    (0..50).for_each(|_| app.update());
    let (camera_place, nearer) = camera(&mut app);
    assert!(nearer < 0.8 * scale, "{nearer}");
    assert!(camera_place.translation.xy().distance(place.xy()) < 0.5, "{camera_place:?}");
    // The whole world is not shown beside the agent.
    press(&mut app, KeyCode::Home, None);
    (0..20).for_each(|_| app.update());
    assert_eq!(camera(&mut app), whole);
    let inspector = app.world().resource::<Inspector>();
    assert_eq!((inspector.selected, inspector.follows), (Some(agent), false));
}

/// The point that is seen in the middle of the window, as far away as the camera was at home.
fn middle(app: &mut App, distance: f32) -> Vec3 {
    let (place, _) = camera(app);
    place.translation + place.forward() * distance
}

#[test]
fn a_drag_with_shift_pans_in_every_world() {
    for scene in ["flock", "ground", "school"] {
        for button in [MouseButton::Left, MouseButton::Right, MouseButton::Middle] {
            let mut app = open_gallery(scene);
            pause(&mut app);
            point_at(&mut app, MIDDLE);
            let (home, scale) = camera(&mut app);
            let distance = 30.0;
            let before = middle(&mut app, distance);
            with_shift(&mut app, |app| drag(app, button, Vec2::new(60.0, 40.0)));
            let (place, panned) = camera(&mut app);
            assert!(place.rotation.angle_between(home.rotation) < 1e-4, "{scene}, {button:?}");
            assert_eq!(panned, scale);
            // The world goes right and down, what is in the middle has been left and above.
            let moved = middle(&mut app, distance) - before;
            let (right, up) = (moved.dot(*home.right()), moved.dot(*home.up()));
            assert!(right < -1.0 && (up / right + 4.0 / 6.0).abs() < 0.01, "{scene}: {moved}");
            assert!(moved.dot(*home.forward()).abs() < 1e-3, "{scene}: {moved}");
        }
        // The left button alone does not move the view.
        let mut app = open_gallery(scene);
        pause(&mut app);
        let before = camera(&mut app);
        point_at(&mut app, MIDDLE);
        drag(&mut app, MouseButton::Left, Vec2::new(60.0, 40.0));
        assert_eq!(camera(&mut app), before);
    }
}

/// Whether any agent is attracted by the pointer.
fn is_attracted(app: &mut App) -> bool {
    let mut led = app.world_mut().query::<&Seek>();
    led.iter(app.world()).any(SteeringBehavior::is_enabled)
}

#[test]
fn no_agent_is_attracted_while_a_drag_pans() {
    let left = MouseButton::Left;
    for plane in ["xy", "xz", "free"] {
        let mut app = open_stress(&["--agents", "100", "--plane", plane]);
        point_at(&mut app, MIDDLE);
        set_button(&mut app, left, ButtonState::Pressed);
        app.update();
        assert!(is_attracted(&mut app), "{plane}");
        set_button(&mut app, left, ButtonState::Released);
        app.update();
        assert!(!is_attracted(&mut app), "{plane}");
        let before = camera(&mut app).0;
        with_shift(&mut app, |app| {
            set_button(app, left, ButtonState::Pressed);
            app.update();
            assert!(!is_attracted(app), "{plane}");
        });
        // Without Shift it goes on until the button is released.
        let delta = Vec2::new(50.0, 0.0);
        let window = window(&mut app);
        let moved = CursorMoved { window, position: MIDDLE + delta, delta: Some(delta) };
        app.world_mut().write_message(moved);
        app.update();
        assert!(!is_attracted(&mut app), "{plane}");
        assert!(camera(&mut app).0.translation.distance(before.translation) > 1.0, "{plane}");
        set_button(&mut app, left, ButtonState::Released);
        app.update();
        set_button(&mut app, left, ButtonState::Pressed);
        app.update();
        assert!(is_attracted(&mut app), "{plane}: the next press");
    }
}

#[test]
fn a_click_with_shift_selects_several_agents_and_a_drag_does_not() {
    let mut app = open_gallery("flock");
    pause(&mut app);
    app.world_mut().resource_mut::<Inspector>().is_open = true;
    (0..5).for_each(|_| app.update());
    let mut agents = app.world_mut().query_filtered::<(Entity, &Transform), With<Vehicle>>();
    let agents: Vec<_> = agents.iter(app.world()).map(|(agent, at)| (agent, *at)).collect();
    let place = |app: &mut App, at: Vec3| {
        let mut cameras =
            app.world_mut().query_filtered::<(&Camera, &GlobalTransform), With<WindowCamera>>();
        let (camera, view) = cameras.single(app.world()).expect("the camera");
        camera.world_to_viewport(view, at).expect("in view")
    };
    let selected =
        |app: &App, agent| app.world().resource::<Inspector>().selection().any(|one| one == agent);
    for &(agent, at) in &agents[10..12] {
        let at = place(&mut app, at.translation);
        point_at(&mut app, at);
        with_shift(&mut app, |app| drag(app, MouseButton::Left, Vec2::ZERO));
        assert!(selected(&app, agent), "{agent}");
    }
    assert!(selected(&app, agents[10].0));
    // The agent is under the pointer when the button is released.
    let (agent, at) = agents[30];
    let at = place(&mut app, at.translation);
    point_at(&mut app, at - Vec2::X * 30.0);
    with_shift(&mut app, |app| {
        set_button(app, MouseButton::Left, ButtonState::Pressed);
        app.update();
        point_at(app, at);
        set_button(app, MouseButton::Left, ButtonState::Released);
        app.update();
    });
    assert!(!selected(&app, agent));
}
