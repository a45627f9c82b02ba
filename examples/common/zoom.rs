//! The camera of a flat world: the wheel zooms at the pointer, the middle button drags, and a key
//! shows the whole again.

use bevy::{
    input::{
        InputSystems,
        mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollUnit},
    },
    math::ops,
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::input::egui_wants_any_pointer_input;

use crate::keys::{Action, KeySystems, pressed};

/// Marks the camera that the mouse moves: one with an orthographic projection, which begins at the
/// origin with a scale of 1.
#[derive(Component, Clone, Copy, Debug)]
#[require(Camera2d)]
pub struct ZoomCamera;

/// Zooms and drags the [`ZoomCamera`].
#[derive(Clone, Copy, Debug)]
pub struct ZoomPlugin;

impl Plugin for ZoomPlugin {
    fn build(&self, app: &mut App) {
        let mouse = (zoom, drag).after(InputSystems).run_if(not(egui_wants_any_pointer_input));
        app.add_systems(PreUpdate, (mouse, show_whole.in_set(KeySystems)));
    }
}

/// The scale after a line of the wheel towards the user, relative to that before.
const STEP: f32 = 1.1;
/// The scale at which most is seen, and that at which least is.
const FARTHEST: f32 = 2.0;
const NEAREST: f32 = 0.05;
/// The pixels that a touchpad reports for what a wheel reports as a line.
const PIXELS_A_LINE: f32 = 50.0;

type View<'a> = (&'a Camera, &'a GlobalTransform, &'a mut Transform, &'a mut Projection);

fn zoom(
    wheel: Res<AccumulatedMouseScroll>,
    window: Single<&Window, With<PrimaryWindow>>,
    view: Single<View, With<ZoomCamera>>,
) {
    let lines = match wheel.unit {
        MouseScrollUnit::Line => wheel.delta.y,
        MouseScrollUnit::Pixel => wheel.delta.y / PIXELS_A_LINE,
    };
    let (camera, global, mut transform, mut projection) = view.into_inner();
    let pointed =
        window.cursor_position().and_then(|at| camera.viewport_to_world_2d(global, at).ok());
    let (Some(pointed), true, Projection::Orthographic(projection)) =
        (pointed, lines != 0.0, &mut *projection)
    else {
        return;
    };
    let scale = (projection.scale * ops::powf(STEP, -lines)).clamp(NEAREST, FARTHEST);
    // What is under the pointer stays there.
    let from_center = pointed - transform.translation.truncate();
    transform.translation += (from_center * (1.0 - scale / projection.scale)).extend(0.0);
    projection.scale = scale;
}

fn drag(
    buttons: Res<ButtonInput<MouseButton>>,
    motion: Res<AccumulatedMouseMotion>,
    view: Single<View, With<ZoomCamera>>,
) {
    let (camera, _, mut transform, projection) = view.into_inner();
    if let Projection::Orthographic(projection) = &*projection
        && let Some(size) = camera.logical_viewport_size()
        && buttons.pressed(MouseButton::Middle)
    {
        let units_a_pixel = projection.area.width() / size.x;
        // The world goes with the mouse; on the screen `y` goes down.
        transform.translation -= (motion.delta * vec2(1.0, -1.0) * units_a_pixel).extend(0.0);
    }
}

fn show_whole(
    keys: Res<ButtonInput<KeyCode>>,
    mut view: Single<(&mut Transform, &mut Projection), With<ZoomCamera>>,
) {
    if pressed(&keys, Action::ShowWhole) {
        let (transform, projection) = &mut *view;
        transform.translation = Vec3::ZERO.with_z(transform.translation.z);
        if let Projection::Orthographic(projection) = &mut **projection {
            projection.scale = 1.0;
        }
    }
}
