//! Keyboard and mouse.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_egui::input::EguiWantsInput;
use bevy_steer::prelude::*;
use bevy_steer_inspector::Inspector;

use super::{
    camera::SceneCamera,
    scene::{Click, View},
    scenes,
    stage::{CurrentScene, show},
};
use crate::{clock::step_once, screenshot::quit};

pub(super) fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    current: Res<CurrentScene>,
    mut gizmos: ResMut<GizmoConfigStore>,
    mut virtual_time: ResMut<Time<Virtual>>,
    mut fixed_time: ResMut<Time<Fixed>>,
    mut commands: Commands,
    exit: MessageWriter<AppExit>,
) {
    let next = [KeyCode::KeyN, KeyCode::PageDown, KeyCode::ArrowRight, KeyCode::ArrowDown];
    let previous = [KeyCode::KeyP, KeyCode::PageUp, KeyCode::ArrowLeft, KeyCode::ArrowUp];
    let mut go = |scene| commands.queue(move |world: &mut World| show(world, scene));
    if keys.any_just_pressed(next) {
        go(scenes::adjacent(current.0, true));
    } else if keys.any_just_pressed(previous) {
        go(scenes::adjacent(current.0, false));
    } else if keys.just_pressed(KeyCode::KeyR) {
        go(current.0);
    }
    if keys.just_pressed(KeyCode::Space) {
        if virtual_time.is_paused() { virtual_time.unpause() } else { virtual_time.pause() }
    }
    if keys.just_pressed(KeyCode::KeyS) {
        virtual_time.pause();
        step_once(&mut fixed_time);
    }
    if keys.just_pressed(KeyCode::KeyG) {
        let (config, _) = gizmos.config_mut::<SteeringGizmos>();
        config.enabled = !config.enabled;
    }
    if keys.just_pressed(KeyCode::Escape) {
        quit(exit);
    }
}

/// Passes a mouse button that is held down to the scene.
pub(super) fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<SceneCamera>>,
    current: Res<CurrentScene>,
    egui: Res<EguiWantsInput>,
    inspector: Res<Inspector>,
    mut commands: Commands,
) {
    let CurrentScene(scene) = *current;
    // While the inspector is open, a click selects an agent.
    let Some(on_click) = scene.click.filter(|_| !inspector.is_open) else { return };
    if !buttons.pressed(MouseButton::Left) || egui.is_pointer_over_area() || egui.is_using_pointer()
    {
        return;
    }
    let (camera, view) = *camera;
    let in_view = |at: &Vec2| camera.logical_viewport_rect().is_some_and(|rect| rect.contains(*at));
    let Some(at) = window.cursor_position().filter(in_view) else { return };
    let place = match scene.view {
        View::Flat => camera.viewport_to_world_2d(view, at).ok().map(|place| place.extend(0.0)),
        View::Ground => camera.viewport_to_world(view, at).ok().and_then(|ray| {
            ray.plane_intersection_point(Vec3::ZERO, InfinitePlane3d::new(Vec3::Y))
        }),
        View::Space => None,
    };
    let fresh = buttons.just_pressed(MouseButton::Left);
    if let Some(place) = place {
        commands.queue(move |world: &mut World| on_click(world, Click { place, fresh }));
    }
}
