//! The mouse over the crowd: the left button attracts agents, the right button scares them.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_steer::prelude::*;
use bevy_steer_inspector::Inspector;

use super::{
    options::{Behaviors, Options},
    window::Setup,
    world::side,
};
use crate::camera::WindowCamera;

/// What agents seek or flee while a button is pressed.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Pointer;

pub(super) fn spawn(mut commands: Commands) {
    commands.spawn((Pointer, Transform::IDENTITY));
}

/// Whether the mouse leads the crowd. All but flocks have goals already.
pub(super) fn leads(options: &Options) -> bool {
    options.behaviors == Behaviors::Flock
}

/// Gives each new agent the two behaviours, which are off.
pub(super) fn lead(
    agents: Query<Entity, Added<Vehicle>>,
    pointer: Single<Entity, With<Pointer>>,
    setup: Res<Setup>,
    mut commands: Commands,
) {
    if !leads(&setup.0) {
        return;
    }
    let mut seek = Seek::new(*pointer);
    let mut flee = Flee::new(*pointer).within(0.2 * side(&setup.0));
    seek.set_enabled(false);
    flee.set_enabled(false);
    for agent in &agents {
        commands.entity(agent).insert((seek, flee));
    }
}

/// Moves the pointer to where the mouse points: in the plane through the middle of the world that
/// the agents are in, or that the camera faces.
pub(super) fn follow_mouse(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<WindowCamera>>,
    settings: Res<bevy_steer::SteeringSettings>,
    mut pointer: Single<&mut Transform, With<Pointer>>,
) {
    let (camera, view) = *camera;
    let normal = match settings.plane {
        SteeringPlane::Free => view.back(),
        plane => Dir3::new(plane.normal()).unwrap_or(Dir3::Z),
    };
    let ray = window.cursor_position().and_then(|at| camera.viewport_to_world(view, at).ok());
    if let Some(place) = ray.and_then(|ray| {
        let distance = ray.intersect_plane(Vec3::ZERO, InfinitePlane3d::new(*normal))?;
        Some(ray.get_point(distance))
    }) {
        pointer.translation = place;
    }
}

/// Switches the behaviours on and off.
pub(super) fn press(
    buttons: Res<ButtonInput<MouseButton>>,
    inspector: Res<Inspector>,
    mut agents: Query<(&mut Seek, &mut Flee)>,
) {
    let held = |button| buttons.pressed(button) && !inspector.is_open;
    let (seeks, flees) = (held(MouseButton::Left), held(MouseButton::Right));
    for (mut seek, mut flee) in &mut agents {
        if (seek.is_enabled(), flee.is_enabled()) != (seeks, flees) {
            seek.set_enabled(seeks);
            flee.set_enabled(flees);
        }
    }
}
