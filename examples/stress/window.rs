//! The crowd in a window.

use std::time::Duration;

use bevy::{
    app::TaskPoolPlugin,
    camera::ScalingMode,
    core_pipeline::tonemapping::{DebandDither, Tonemapping},
    math::ops,
    prelude::*,
    time::common_conditions::once_after_real_delay,
    window::{PresentMode, PrimaryWindow, WindowResolution},
};
use bevy_egui::EguiPrimaryContextPass;
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    cost::CostPlugin,
    crowd::{self, Colors, CrowdMesh},
    options::{Options, Plane},
    overlay::{self, Overlay},
    pointer,
    world::{CrowdPlugin, replace_crowd, side},
};
use crate::{
    camera::{CameraPlugin, PointerSystems, WindowCamera},
    keys::{Action, Actions, KeySystems, KeysPlugin},
    palette,
    screenshot::save_screenshot_and_quit,
    selection::select_agent,
};

/// The command line, with the number of agents that keys have changed.
#[derive(Resource, Clone, Debug)]
pub struct Setup(pub Options);

/// The size of the window, in logical pixels.
pub(super) const SIZE: UVec2 = UVec2::new(1280, 720);

/// The keys of this window besides those that work in all.
pub(super) const KEYS: [Action; 4] = [Action::Fewer, Action::More, Action::Pan, Action::ShowWhole];

/// The number of agents that the key for more stops at.
const MOST: u32 = 1_000_000;

/// Opens the window and shows the crowd until it is closed.
pub fn run(options: &Options) -> AppExit {
    let window = Window {
        title: title(options),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new()
        .add_plugins((
            DefaultPlugins.set(windows).set(task_pools(options)),
            StressWindowPlugin { options: options.clone() },
        ))
        .run()
}

fn title(options: &Options) -> String {
    format!("bevy_steer: {} agents", options.agents)
}

/// The crowd with everything that is seen and pressed. Needs Bevy's `DefaultPlugins`.
#[derive(Clone, Debug)]
pub struct StressWindowPlugin {
    /// The command line.
    pub options: Options,
}

impl Plugin for StressWindowPlugin {
    fn build(&self, app: &mut App) {
        let options = &self.options;
        app.add_plugins((
            CrowdPlugin { options: options.clone() },
            CostPlugin,
            SteeringInspectorPlugin { open: options.inspector, ..default() },
            KeysPlugin,
            // The other buttons attract and scare.
            CameraPlugin { drag: &[MouseButton::Middle] },
        ))
        .insert_resource(ClearColor(palette::GROUND))
        .insert_resource(Setup(options.clone()))
        .init_resource::<Overlay>()
        .init_resource::<CrowdMesh>()
        .init_resource::<Colors>()
        .add_systems(Startup, (spawn_camera, crowd::spawn, pointer::spawn))
        .add_systems(
            PreUpdate,
            (
                change_number.in_set(KeySystems),
                (pointer::follow_mouse, pointer::press).chain().in_set(PointerSystems),
            ),
        )
        .add_systems(
            Update,
            (fit_camera, overlay::record_frame, pointer::lead, crowd::show_obstacles, crowd::draw),
        )
        .add_systems(EguiPrimaryContextPass, overlay::show);
        if options.inspector {
            app.add_systems(PostStartup, select_agent);
        }
        if options.screenshot.is_some() {
            let delay = Duration::from_secs_f32(options.seconds);
            app.add_systems(Update, take_screenshot.run_if(once_after_real_delay(delay)));
        }
    }
}

fn task_pools(options: &Options) -> TaskPoolPlugin {
    let mut pools = TaskPoolOptions::default();
    // The app's own thread counts as one of them.
    pools.compute.min_threads = usize::from(options.threads).saturating_sub(1).max(1);
    TaskPoolPlugin { task_pool_options: pools }
}

fn spawn_camera(mut commands: Commands, setup: Res<Setup>) {
    if setup.0.plane == Plane::Xy {
        let projection = OrthographicProjection::default_2d();
        let projection = Projection::Orthographic(projection);
        commands.spawn((Camera2d, projection, WindowCamera::flat()));
    } else {
        // Bevy's default tonemapping needs its feature `tonemapping_luts`.
        let look = (Camera3d::default(), Tonemapping::None, DebandDither::Disabled);
        let eye = eye(&setup.0, 0.0);
        commands.spawn((look, WindowCamera::solid(eye, Vec3::ZERO)));
    }
}

/// Where the camera of a solid world is at a time in seconds, so that the whole world is in view.
fn eye(options: &Options, seconds: f32) -> Vec3 {
    let (sin, cos) = ops::sin_cos(seconds * 0.1);
    let (height, distance) = if options.plane == Plane::Xz { (0.7, 1.35) } else { (0.45, 2.15) };
    Vec3::new(cos, height, sin) * (side(options) * distance)
}

/// Fits the camera to the size of the world, and moves it around a solid one as long as the mouse
/// has not moved it.
fn fit_camera(
    camera: Single<(&mut WindowCamera, &mut Projection)>,
    setup: Res<Setup>,
    time: Res<Time>,
) {
    let (mut camera, mut projection) = camera.into_inner();
    let side = side(&setup.0);
    match &mut *projection {
        Projection::Orthographic(flat) => {
            flat.scaling_mode = ScalingMode::AutoMin { min_width: side, min_height: side };
        }
        Projection::Perspective(solid) => {
            solid.far = 10.0 * side;
            camera.set_home(eye(&setup.0, time.elapsed_secs()), Vec3::ZERO);
        }
        Projection::Custom(_) => {}
    }
}

/// Doubles the crowd, or halves it. It begins anew.
fn change_number(
    actions: Actions,
    mut setup: ResMut<Setup>,
    mut window: Single<&mut Window, With<PrimaryWindow>>,
    mut camera: Single<&mut WindowCamera>,
    mut commands: Commands,
) {
    let agents = setup.0.agents;
    let wanted = if actions.just_pressed(Action::More) {
        agents.saturating_mul(2).min(MOST.max(agents))
    } else if actions.just_pressed(Action::Fewer) {
        (agents / 2).max(1)
    } else {
        return;
    };
    if wanted == agents {
        return;
    }
    setup.0.agents = wanted;
    window.title = title(&setup.0);
    camera.go_home();
    let options = setup.0.clone();
    commands.queue(move |world: &mut World| replace_crowd(world, &options));
}

fn take_screenshot(setup: Res<Setup>, commands: Commands) {
    if let Some(path) = &setup.0.screenshot {
        save_screenshot_and_quit(path.clone(), commands);
    }
}

#[cfg(test)]
mod tests {
    use bevy::camera::CameraProjection;
    use clap::Parser;

    use super::*;
    use crate::stress::world::bounds;

    #[test]
    fn the_whole_solid_world_is_in_view() {
        let projection = PerspectiveProjection { aspect_ratio: 16.0 / 9.0, ..default() };
        for plane in ["xz", "free"] {
            let options = Options::parse_from(["stress", "--plane", plane]);
            let world = bounds(&options);
            for seconds in [0.0, 3.0, 11.0, 40.0] {
                let view = Transform::from_translation(eye(&options, seconds));
                let view = view.looking_at(Vec3::ZERO, Vec3::Y).to_matrix().inverse();
                for corner in 0..8 {
                    let far = |axis: u32| corner >> axis & 1 == 1;
                    let at = Vec3::select(BVec3::new(far(0), far(1), far(2)), world.max, world.min);
                    let at = if plane == "xz" { at.with_y(0.0) } else { at };
                    let seen = (projection.get_clip_from_view() * view).project_point3(at);
                    assert!(seen.truncate().abs().max_element() < 1.0, "{plane} {seconds}: {seen}");
                }
            }
        }
    }
}
