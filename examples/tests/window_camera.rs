//! The camera of the gallery's window: it turns solid scenes, follows agents and comes home.

use bevy::{
    input::{
        ButtonState,
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

use crate::window_keys::open_gallery;

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

fn drag(app: &mut App, delta: Vec2) {
    let window = window(app);
    let button = MouseButton::Right;
    let world = app.world_mut();
    world.write_message(MouseButtonInput { button, state: ButtonState::Pressed, window });
    world.write_message(CursorMoved { window, position: MIDDLE + delta, delta: Some(delta) });
    app.update();
    let state = ButtonState::Released;
    app.world_mut().write_message(MouseButtonInput { button, state, window });
    app.update();
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
        drag(&mut app, Vec2::new(120.0, 30.0));
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
    app.world_mut().resource_mut::<Inspector>().follows = false;
    press(&mut app, KeyCode::Home, None);
    app.update();
    assert_eq!(camera(&mut app), whole);
}

#[test]
fn another_scene_is_shown_whole() {
    let mut app = open_gallery("seek");
    pause(&mut app);
    let whole = camera(&mut app);
    point_at(&mut app, MIDDLE + Vec2::new(80.0, 20.0));
    turn_wheel(&mut app, 4.0);
    assert!(camera(&mut app) != whole);
    press(&mut app, KeyCode::KeyR, None);
    app.update();
    assert!(camera(&mut app) != whole, "the same scene again");
    press(&mut app, KeyCode::KeyN, None);
    app.update();
    assert_eq!(camera(&mut app), whole);
}
