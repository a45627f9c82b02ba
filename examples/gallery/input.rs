//! Keyboard and mouse.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_egui::input::EguiWantsInput;
use bevy_steer_inspector::Inspector;

use super::{
    camera::SceneCamera,
    scene::{Click, View},
    scenes,
    stage::{CurrentScene, show},
};
use crate::keys::{Action, Actions};

/// The keys of this window besides those that work in all.
pub(super) const KEYS: [Action; 7] = [
    Action::Next,
    Action::Previous,
    Action::Restart,
    Action::Zoom,
    Action::Drag,
    Action::Pan,
    Action::ShowWhole,
];

pub(super) fn press_keys(actions: Actions, current: Res<CurrentScene>, mut commands: Commands) {
    let CurrentScene(scene) = *current;
    let mut go = |scene| commands.queue(move |world: &mut World| show(world, scene));
    if actions.just_pressed(Action::Next) {
        go(scenes::adjacent(scene, true));
    } else if actions.just_pressed(Action::Previous) {
        go(scenes::adjacent(scene, false));
    } else if actions.just_pressed(Action::Restart) {
        go(scene);
    }
    for (i, switch) in scene.switches.iter().enumerate() {
        if actions.just_pressed(Action::Switch(i)) {
            commands.queue(move |world: &mut World| switch.toggle(world));
        }
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
    // A click may be over within a frame.
    let fresh = buttons.just_pressed(MouseButton::Left);
    let is_down = fresh || buttons.pressed(MouseButton::Left);
    if !is_down || egui.is_pointer_over_area() || egui.is_using_pointer() {
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
    if let Some(place) = place {
        commands.queue(move |world: &mut World| on_click(world, Click { place, fresh }));
    }
}
