//! Gizmos without a window.

use bevy::{
    asset::AssetPlugin,
    gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin},
    prelude::*,
    transform::TransformPlugin,
};
use bevy_steer::prelude::*;

/// Has an app draw, that has everything else already.
pub fn begin(app: &mut App) {
    app.add_plugins((SteeringGizmosPlugin, AssetPlugin::default(), TransformPlugin, GizmoPlugin));
    // Where Bevy has meshes its own gizmos want some; there are none here.
    app.set_error_handler(bevy::ecs::error::debug);
    crate::run_systems_on_one_thread(app);
    app.finish();
    app.cleanup();
}

pub fn config(app: &mut App) -> Mut<'_, GizmoConfigStore> {
    app.world_mut().resource_mut::<GizmoConfigStore>()
}

/// Gives a colour to everything that is drawn only if it has one.
pub fn show_everything(app: &mut App) {
    let mut store = config(app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    for color in [
        &mut gizmos.heading,
        &mut gizmos.body,
        &mut gizmos.obstacles,
        &mut gizmos.walls,
        &mut gizmos.bounds,
    ] {
        *color = Some(Color::WHITE);
    }
}

/// The ends of all lines of the next frame, with their colours.
pub fn drawn(app: &mut App) -> Vec<(Vec3, LinearRgba)> {
    app.update();
    let world = app.world();
    let handles = world.resource::<GizmoHandles>().handles();
    let Some(handle) = handles.get(&core::any::TypeId::of::<SteeringGizmos>()).cloned().flatten()
    else {
        return Vec::new();
    };
    let asset = world.resource::<Assets<GizmoAsset>>().get(&handle).expect("the asset");
    let lines = asset.buffer();
    let list = lines.list_positions.iter().zip(lines.list_colors.iter());
    let strips = lines.strip_positions.iter().zip(lines.strip_colors.iter());
    // A strip ends with a place that is none.
    list.chain(strips)
        .map(|(&place, &color)| (place, color))
        .filter(|(place, _)| !place.is_nan())
        .collect()
}
