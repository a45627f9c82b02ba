//! The camera, light and floor of each view.

use super::{
    panel::{BOTTOM, LEFT, TOP},
    scene::View,
    stage::{ARENA, CurrentScene, GROUND, SceneClock, TANK},
    trail::Scenery,
};
use crate::palette;
use bevy::{
    camera::{ScalingMode, Viewport},
    core_pipeline::tonemapping::Tonemapping,
    math::ops,
    prelude::*,
    window::PrimaryWindow,
};
use bevy_steer_inspector::PanelWidth;

/// Marks the camera that shows the scene.
#[derive(Component, Clone, Copy)]
pub(super) struct SceneCamera;

/// Marks the camera and the floor with the view that they belong to.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub(super) struct OfView(View);

/// The margin between a flat scene and the edge of the viewport, in units.
const MARGIN: f32 = 10.0;

/// Adds the light.
pub(super) fn set_up(mut commands: Commands, mut gizmos: ResMut<GizmoConfigStore>) {
    commands.spawn((
        DirectionalLight { illuminance: 4200.0, shadow_maps_enabled: true, ..default() },
        Transform::from_xyz(-6.0, 14.0, 5.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.insert_resource(GlobalAmbientLight { brightness: 260.0, ..default() });
    let (scenery, _) = gizmos.config_mut::<Scenery>();
    scenery.line.width = 2.0;
}

/// Replaces the camera and the floor when the view changes.
pub(super) fn set_view(
    current: Res<CurrentScene>,
    old: Query<(Entity, &OfView)>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut flat: ResMut<Assets<ColorMaterial>>,
    mut solid: ResMut<Assets<StandardMaterial>>,
    mut commands: Commands,
) {
    let view = current.0.view;
    if old.iter().any(|(_, of)| of.0 == view) {
        return;
    }
    old.iter().for_each(|(entity, _)| commands.entity(entity).despawn());
    let of = OfView(view);
    match view {
        View::Flat => {
            let size = 2.0 * (ARENA + MARGIN);
            let scaling_mode = ScalingMode::AutoMin { min_width: size.x, min_height: size.y };
            let projection =
                OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
            commands.spawn((of, SceneCamera, Camera2d, Projection::Orthographic(projection)));
            let floor = Mesh2d(meshes.add(Rectangle::from_size(2.0 * ARENA)));
            let material = MeshMaterial2d(flat.add(ColorMaterial::from(palette::FLOOR)));
            commands.spawn((of, floor, material, Transform::from_xyz(0.0, 0.0, -20.0)));
        }
        View::Ground => {
            commands.spawn((of, SceneCamera, Camera3d::default(), Tonemapping::None));
            let floor = Mesh3d(meshes.add(Plane3d::new(Vec3::Y, GROUND)));
            let material = StandardMaterial {
                base_color: palette::FRAME,
                perceptual_roughness: 1.0,
                reflectance: 0.1,
                ..default()
            };
            commands.spawn((of, floor, MeshMaterial3d(solid.add(material))));
        }
        View::Space => {
            commands.spawn((of, SceneCamera, Camera3d::default(), Tonemapping::None));
        }
    }
}

/// Keeps the scene's viewport beside the panels.
pub(super) fn fit_viewport(
    mut cameras: Query<&mut Camera, With<SceneCamera>>,
    window: Single<&Window, With<PrimaryWindow>>,
    inspector: Res<PanelWidth>,
) {
    let scale = window.scale_factor();
    let all = window.physical_size();
    let corner = (Vec2::new(inspector.left + LEFT, TOP) * scale).as_uvec2();
    let below = UVec2::new(0, (BOTTOM * scale) as u32);
    let size = all.saturating_sub(corner + below).max(UVec2::ONE);
    // The window can be smaller than the panels.
    let corner = corner.min(all.saturating_sub(UVec2::ONE));
    for mut camera in &mut cameras {
        let is_old = camera.viewport.as_ref().is_none_or(|viewport| {
            viewport.physical_position != corner || viewport.physical_size != size
        });
        if is_old {
            camera.viewport =
                Some(Viewport { physical_position: corner, physical_size: size, ..default() });
        }
    }
}

/// Moves the camera of a 3D scene slowly.
pub(super) fn sway(
    mut cameras: Query<(&mut Transform, &OfView), (With<SceneCamera>, With<Camera3d>)>,
    clock: Res<SceneClock>,
) {
    for (mut transform, of) in &mut cameras {
        let (angle, distance, height, middle) = if of.0 == View::Ground {
            (0.1 * ops::sin(clock.0 * 0.2), 22.0, 23.5, Vec3::new(0.0, 0.0, 0.8))
        } else {
            (0.4 + clock.0 * 0.08, 34.0, 9.0, Vec3::NEG_Y)
        };
        let (sin, cos) = ops::sin_cos(angle);
        let place = middle + Vec3::new(sin * distance, height, cos * distance);
        *transform = Transform::from_translation(place).looking_at(middle, Vec3::Y);
    }
}

/// Draws the edges of the scene.
pub(super) fn draw_edges(current: Res<CurrentScene>, mut gizmos: Gizmos<Scenery>) {
    let (frame, faint) = (palette::FRAME, palette::STONE.with_alpha(0.5));
    match current.0.view {
        View::Flat => {
            gizmos.rect_2d(Isometry2d::IDENTITY, 2.0 * ARENA, frame);
        }
        View::Ground => {
            let lying = Quat::from_rotation_x(core::f32::consts::FRAC_PI_2);
            let cells = GROUND.as_uvec2();
            let place = Isometry3d::new(Vec3::Y * 0.01, lying);
            gizmos.grid(place, cells, Vec2::splat(2.0), faint).outer_edges();
        }
        View::Space => {
            gizmos.cube(Transform::from_scale(2.0 * TANK), palette::STONE);
        }
    }
}
