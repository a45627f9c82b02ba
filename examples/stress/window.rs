//! The crowd in a window.

use std::time::Duration;

use bevy::{
    app::TaskPoolPlugin,
    camera::ScalingMode,
    core_pipeline::tonemapping::{DebandDither, Tonemapping},
    input::InputSystems,
    math::ops,
    prelude::*,
    time::common_conditions::once_after_real_delay,
    window::{PresentMode, WindowResolution},
};
use bevy_egui::EguiPrimaryContextPass;
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    crowd::{self, Colors, CrowdMesh},
    options::{Options, Plane},
    overlay::{self, Overlay},
    pointer,
    world::{CrowdPlugin, side},
};
use crate::{
    keys::KeysPlugin,
    palette,
    screenshot::save_screenshot_and_quit,
    selection::select_agent,
    zoom::{ZoomCamera, ZoomPlugin},
};

/// The command line.
#[derive(Resource, Clone)]
pub(super) struct Setup(pub(super) Options);

/// Marks the camera that shows the crowd.
#[derive(Component)]
pub(super) struct CrowdCamera;

/// The size of the window, in logical pixels.
pub(super) const SIZE: UVec2 = UVec2::new(1280, 720);

/// Opens the window and shows the crowd until it is closed.
pub fn run(options: &Options) {
    let window = Window {
        title: format!("bevy_steer: {} agents", options.agents),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(windows).set(task_pools(options)),
        CrowdPlugin { options: options.clone() },
        SteeringInspectorPlugin { open: options.inspector, ..default() },
        KeysPlugin,
        ZoomPlugin,
    ))
    .insert_resource(ClearColor(palette::GROUND))
    .insert_resource(Setup(options.clone()))
    .init_resource::<Overlay>()
    .add_systems(Startup, (spawn_camera, crowd::spawn, pointer::spawn))
    .init_resource::<CrowdMesh>()
    .init_resource::<Colors>()
    .add_systems(PreUpdate, (pointer::follow_mouse, pointer::press).chain().after(InputSystems))
    .add_systems(Update, (overlay::record_frame, crowd::draw))
    .add_systems(EguiPrimaryContextPass, overlay::show);
    if options.inspector {
        app.add_systems(PostStartup, select_agent);
    }
    if options.plane != Plane::Xy {
        app.add_systems(Update, orbit);
    }
    if options.screenshot.is_some() {
        let delay = Duration::from_secs_f32(options.seconds);
        app.add_systems(Update, take_screenshot.run_if(once_after_real_delay(delay)));
    }
    app.run();
}

fn task_pools(options: &Options) -> TaskPoolPlugin {
    let mut pools = TaskPoolOptions::default();
    // The app's own thread counts as one of them.
    pools.compute.min_threads = usize::from(options.threads).saturating_sub(1).max(1);
    TaskPoolPlugin { task_pool_options: pools }
}

fn spawn_camera(mut commands: Commands, setup: Res<Setup>) {
    let side = side(&setup.0);
    let mut camera = commands.spawn(CrowdCamera);
    if setup.0.plane == Plane::Xy {
        // The whole world is in view.
        let scaling_mode = ScalingMode::AutoMin { min_width: side, min_height: side };
        let projection =
            OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
        camera.insert((ZoomCamera, Projection::Orthographic(projection)));
    } else {
        // Bevy's default tonemapping needs its feature `tonemapping_luts`.
        camera.insert((Camera3d::default(), Tonemapping::None, DebandDither::Disabled));
    }
}

/// Moves the camera around the crowd.
fn orbit(
    mut camera: Single<&mut Transform, With<CrowdCamera>>,
    setup: Res<Setup>,
    time: Res<Time>,
) {
    let (sin, cos) = ops::sin_cos(time.elapsed_secs() * 0.1);
    let side = side(&setup.0);
    // The whole world is in view.
    let (height, distance) = if setup.0.plane == Plane::Xz { (0.7, 0.95) } else { (0.45, 1.5) };
    let eye = Vec3::new(cos, height, sin) * (side * distance);
    **camera = Transform::from_translation(eye).looking_at(Vec3::ZERO, Vec3::Y);
}

fn take_screenshot(setup: Res<Setup>, commands: Commands) {
    if let Some(path) = &setup.0.screenshot {
        save_screenshot_and_quit(path.clone(), commands);
    }
}
