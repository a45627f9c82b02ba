//! The camera, light and floor of each view.

use super::{
    panel::SceneArea,
    scene::View,
    stage::{ARENA, CurrentScene, GROUND, SceneClock, TANK},
    trail::Scenery,
};
use crate::{camera::WindowCamera, palette};
use bevy::{
    camera::{ScalingMode, Viewport},
    core_pipeline::tonemapping::Tonemapping,
    math::ops,
    prelude::*,
    window::PrimaryWindow,
};
use bevy_steer::prelude::*;

/// Marks the camera that shows the scene.
#[derive(Component, Clone, Copy)]
pub(super) struct SceneCamera;

/// Marks the camera and the floor with the view that they belong to.
#[derive(Component, Clone, Copy, PartialEq, Eq)]
pub(super) struct OfView(View);

/// Marks what covers the surroundings of a flat scene.
#[derive(Component, Clone, Copy)]
pub(super) struct Cover;

/// Half the width of the frame around a flat scene, in units.
const FRAME: f32 = 1.0;
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

/// Shows a new scene whole, but not one that begins again.
pub(super) fn show_whole(
    current: Res<CurrentScene>,
    mut cameras: Query<&mut WindowCamera>,
    mut last: Local<&'static str>,
) {
    if *last != current.0.name {
        *last = current.0.name;
        cameras.iter_mut().for_each(|mut camera| camera.go_home());
    }
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
            let camera = (Camera2d, Projection::Orthographic(projection), WindowCamera::flat());
            commands.spawn((of, SceneCamera, camera));
            let floor = Mesh2d(meshes.add(Rectangle::from_size(2.0 * ARENA)));
            let material = MeshMaterial2d(flat.add(ColorMaterial::from(palette::FLOOR)));
            commands.spawn((of, floor, material, Transform::from_xyz(0.0, 0.0, -20.0)));
            let cover = (Cover, Mesh2d(meshes.add(surroundings())));
            let material = MeshMaterial2d(flat.add(ColorMaterial::from(palette::GROUND)));
            commands.spawn((of, cover, material, Transform::from_xyz(0.0, 0.0, 20.0)));
        }
        View::Ground => {
            commands.spawn((of, SceneCamera, solid_camera(view)));
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
            commands.spawn((of, SceneCamera, solid_camera(view)));
        }
    }
}

/// Everything outside of a flat scene, up to its frame.
fn surroundings() -> Mesh {
    const WIDTH: f32 = 10_000.0;
    let half = ARENA + FRAME;
    let beside = Rectangle::new(WIDTH, 2.0 * (half.y + WIDTH));
    let above = Rectangle::new(2.0 * half.x, WIDTH);
    let mut all = Mesh::from(beside).translated_by(Vec3::X * (half.x + 0.5 * WIDTH));
    for part in [
        Mesh::from(beside).translated_by(Vec3::NEG_X * (half.x + 0.5 * WIDTH)),
        Mesh::from(above).translated_by(Vec3::Y * (half.y + 0.5 * WIDTH)),
        Mesh::from(above).translated_by(Vec3::NEG_Y * (half.y + 0.5 * WIDTH)),
    ] {
        // Cannot fail: all of them have the same attributes.
        let _ = all.merge(&part);
    }
    all
}

/// Covers what of a body is beyond an edge that it passes through: on the other side, nothing of it
/// is seen yet. At other edges bodies are seen whole.
pub(super) fn cover(bounds: Res<WorldBounds>, mut covers: Query<&mut Visibility, With<Cover>>) {
    let wanted =
        if bounds.edge == BoundsEdge::Wrap { Visibility::Inherited } else { Visibility::Hidden };
    for mut visibility in &mut covers {
        visibility.set_if_neq(wanted);
    }
}

/// Keeps the scene's viewport beside the panels.
pub(super) fn fit_viewport(
    mut cameras: Query<&mut Camera, With<SceneCamera>>,
    window: Single<&Window, With<PrimaryWindow>>,
    area: Res<SceneArea>,
) {
    if area.0.is_empty() {
        return;
    }
    let scale = window.scale_factor();
    let all = window.physical_size();
    let corner = (area.0.min * scale).as_uvec2();
    let end = (area.0.max * scale).as_uvec2().min(all);
    let size = end.saturating_sub(corner).max(UVec2::ONE);
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

fn solid_camera(view: View) -> impl Bundle {
    let Sight { eye, middle } = sight(view, 0.0);
    (Camera3d::default(), Tonemapping::None, WindowCamera::solid(eye, middle))
}

/// Where a camera is, and what it looks at.
struct Sight {
    eye: Vec3,
    middle: Vec3,
}

/// The sight of a solid scene that is this many seconds old.
fn sight(view: View, seconds: f32) -> Sight {
    let (angle, distance, height, middle) = if view == View::Ground {
        (0.1 * ops::sin(seconds * 0.2), 22.0, 23.5, Vec3::new(0.0, 0.0, 0.8))
    } else {
        (0.4 + seconds * 0.08, 34.0, 9.0, Vec3::NEG_Y)
    };
    let (sin, cos) = ops::sin_cos(angle);
    Sight { eye: middle + Vec3::new(sin * distance, height, cos * distance), middle }
}

/// Moves the camera of a solid scene slowly, as long as the mouse has not moved it.
pub(super) fn sway(
    mut cameras: Query<(&mut WindowCamera, &OfView), (With<SceneCamera>, With<Camera3d>)>,
    clock: Res<SceneClock>,
) {
    for (mut camera, of) in &mut cameras {
        let Sight { eye, middle } = sight(of.0, clock.0);
        camera.set_home(eye, middle);
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
