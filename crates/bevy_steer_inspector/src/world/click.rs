//! Clicks in the world: they select an agent, or set the parameter that is being picked.

use bevy::prelude::*;
use bevy_egui::input::EguiWantsInput;
use bevy_steer::{Obstacle, SteeringLayers, SteeringPlane, SteeringSettings, Vehicle, Velocity};

use super::{
    camera::WorldCameras,
    sight::{Sight, nearest_to_ray},
};
use crate::{
    change::pick::{Picked, apply_pick},
    state::inspector::Inspector,
};

/// A pointer that moves farther than this between press and release, in pixels, has dragged.
const MAX_CLICK_MOTION: f32 = 4.0;

/// Selects the agent under the pointer; without one the selection stays. While a parameter is being
/// picked, sets it to the point or entity under the pointer instead.
pub fn click(world: &mut World, sight: &Sight) {
    click_with(world, sight, false);
}

/// Like [`click`]; with `adds`, adds the agent to those that are selected, or removes it.
fn click_with(world: &mut World, sight: &Sight, adds: bool) {
    let inspector = world.resource::<Inspector>();
    let (selected, is_picking) = (inspector.selected, inspector.pick.is_some());
    if let Some(agent) = selected.filter(|_| is_picking) {
        let picked = match target_at(world, sight, agent) {
            Some(entity) => Some(Picked::Entity(entity)),
            None => point_at(world, sight, agent).map(Picked::Point),
        };
        if let Some(picked) = picked {
            apply_pick(world, picked);
        }
        return;
    }
    let mut agents = world.query::<(Entity, &Transform, &Vehicle)>();
    let bodies = agents.iter(world).map(|(agent, place, vehicle)| {
        (agent, place.translation, if vehicle.radius.is_finite() { vehicle.radius } else { 0.0 })
    });
    let hit = nearest_to_ray(sight, bodies);
    let mut inspector = world.resource_mut::<Inspector>();
    match hit {
        Some(agent) if adds => inspector.toggle(agent),
        Some(_) => inspector.select(hit),
        None => {}
    }
}

/// The entity under the pointer that can be a target, other than the agent itself.
fn target_at(world: &mut World, sight: &Sight, except: Entity) -> Option<Entity> {
    type CanBeTarget = Or<(With<Vehicle>, With<SteeringLayers>, With<Velocity>, With<Obstacle>)>;
    let mut candidates = world
        .query_filtered::<(Entity, &GlobalTransform, &Transform, Option<&Vehicle>), CanBeTarget>();
    let bodies = candidates.iter(world).filter(|&(entity, ..)| entity != except).map(
        |(entity, place, own, vehicle)| {
            // Steering reads the Transform of an agent; other targets move with their parents.
            let center = if vehicle.is_some() { own.translation } else { place.translation() };
            (entity, center, vehicle.map_or(0.0, |vehicle| vehicle.radius))
        },
    );
    nearest_to_ray(sight, bodies)
}

/// The point under the pointer in the agent's plane; in free space, at the distance of the agent.
fn point_at(world: &World, sight: &Sight, agent: Entity) -> Option<Vec3> {
    let origin = world.get::<Transform>(agent)?.translation;
    let plane = plane_of(world, agent);
    let normal = if plane.is_planar() { plane.normal() } else { *sight.ray.direction };
    let point = sight.ray.plane_intersection_point(origin, InfinitePlane3d::new(normal))?;
    Some(point)
}

/// The plane in which an agent steers.
pub(super) fn plane_of(world: &World, agent: Entity) -> SteeringPlane {
    let default = world.get_resource::<SteeringSettings>().map(|settings| settings.plane);
    world.get::<SteeringPlane>(agent).copied().or(default).unwrap_or_default()
}

/// Where the mouse button was pressed.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Press(Option<Vec2>);

/// Whether a click adds to the selection: with Ctrl or Shift, on a Mac with Cmd too. Shift selects a
/// range in the list only.
fn adds(keys: &ButtonInput<KeyCode>) -> bool {
    const ADDING: [KeyCode; 4] =
        [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::ShiftLeft, KeyCode::ShiftRight];
    let is_command = || keys.any_pressed([KeyCode::SuperLeft, KeyCode::SuperRight]);
    keys.any_pressed(ADDING) || cfg!(target_os = "macos") && is_command()
}

pub(crate) fn click_in_window(
    mut commands: Commands,
    mut press: ResMut<Press>,
    cameras: WorldCameras,
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    egui: Res<EguiWantsInput>,
    inspector: Res<Inspector>,
) {
    if !inspector.is_open {
        return;
    }
    let Some(pointer) = cameras.pointer() else { return };
    if buttons.just_pressed(MouseButton::Left) {
        press.0 = (!egui.wants_any_pointer_input()).then_some(pointer);
    }
    if !buttons.just_released(MouseButton::Left) {
        return;
    }
    let is_click = press.0.take().is_some_and(|from| from.distance(pointer) <= MAX_CLICK_MOTION);
    if let Some(sight) = cameras.sight(pointer).filter(|_| is_click) {
        let adds = adds(&keys);
        commands.queue(move |world: &mut World| click_with(world, &sight, adds));
    }
}
