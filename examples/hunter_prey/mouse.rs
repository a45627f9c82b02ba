//! The mouse: prey follow the pointer, and a click puts down a lure that stays.

use bevy::{input::InputSystems, prelude::*, window::PrimaryWindow};
use bevy_steer::prelude::*;

use super::game::{ARENA, LURE};
use crate::{camera::PointerSystems, selection::inspector_is_closed};

/// Marks the camera that shows the arena.
///
/// `Single<&Camera>` is not enough: as soon as a plugin adds a camera, it matches two entities, and
/// Bevy skips a system if its `Single` does not match exactly one.
#[derive(Component, Clone, Copy, Debug)]
pub struct ArenaCamera;

/// The mouse pointer as a target for prey: in the layer [`LURE`] while it is over the arena, in no
/// layer otherwise.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, SteeringLayers = SteeringLayers::NONE)]
pub struct Pointer;

/// A lure that was put down by a click.
#[derive(Component, Clone, Copy, Debug)]
#[require(SteeringLayers = LURE)]
pub struct Lure;

/// The system that moves the [`Pointer`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MouseSystems;

/// Adds the [`Pointer`] and the systems that move it and put down lures.
pub(super) struct MousePlugin;

impl Plugin for MousePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Pointer);
        })
        .add_systems(
            PreUpdate,
            (
                follow_mouse.in_set(MouseSystems),
                place_lure.run_if(inspector_is_closed).in_set(PointerSystems),
            )
                .chain()
                .after(InputSystems),
        );
    }
}

fn follow_mouse(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<ArenaCamera>>,
    mut pointer: Single<(&mut Transform, &mut SteeringLayers), With<Pointer>>,
) {
    let (camera, camera_transform) = *camera;
    let place = window
        .cursor_position()
        .and_then(|cursor| camera.viewport_to_world_2d(camera_transform, cursor).ok())
        .filter(|place| place.abs().cmple(ARENA).all());
    let (transform, layers) = &mut *pointer;
    match place {
        Some(place) => {
            transform.translation = place.extend(0.0);
            **layers = LURE;
        }
        None => **layers = SteeringLayers::NONE,
    }
}

fn place_lure(
    buttons: Res<ButtonInput<MouseButton>>,
    pointer: Single<(&Transform, &SteeringLayers), With<Pointer>>,
    mut commands: Commands,
) {
    let (transform, &layers) = *pointer;
    if buttons.just_pressed(MouseButton::Left) && layers == LURE {
        commands.spawn((Lure, *transform));
    }
}
