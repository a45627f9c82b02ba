//! [`Mouse`]: where the user presses the left button in a flat world.

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};

use crate::camera::WindowCamera;

/// The mouse over the world of a [`WindowCamera`].
#[derive(SystemParam)]
pub struct Mouse<'w, 's> {
    buttons: Res<'w, ButtonInput<MouseButton>>,
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<WindowCamera>>,
}

impl Mouse<'_, '_> {
    /// The point of the world below the pointer, while the left button is pressed.
    pub fn pressed_at(&self) -> Option<Vec2> {
        // A click may be over within a frame.
        let is_pressed =
            self.buttons.just_pressed(MouseButton::Left) || self.buttons.pressed(MouseButton::Left);
        let at = self.window.cursor_position().filter(|_| is_pressed)?;
        let (camera, place) = *self.camera;
        camera.viewport_to_world_2d(place, at).ok()
    }
}
