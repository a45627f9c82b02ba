//! The gallery in a window.

use std::time::Duration;

use bevy::{
    gizmos::GizmoMeshSystems, prelude::*, time::TimeUpdateStrategy, window::WindowResolution,
};
use bevy_egui::EguiPrimaryContextPass;
use bevy_steer::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    camera, clip, explain, input,
    meshes::{self, MeshCache},
    options::Options,
    panel,
    stage::{CurrentScene, SceneClock, StagePlugin},
    trail::{self, Scenery},
};
use crate::{
    camera::{CameraPlugin, PointerSystems, RIGHT_OR_MIDDLE},
    keys::{KeySystems, KeysPlugin},
    palette,
    screenshot::{quit, save_screenshot_and_quit},
    selection::select_agent,
    smooth::SmoothMotionPlugin,
};

/// The command line.
#[derive(Resource, Clone, Debug)]
struct Setup(Options);

/// The window's size, in logical pixels.
const SIZE: UVec2 = UVec2::new(1280, 720);
/// The time step of frames before a screenshot, so that it is the same on every machine.
const SCREENSHOT_FRAME: Duration = Duration::from_millis(31);

/// Opens the window and shows scenes until it is closed.
pub fn run(options: &Options) -> AppExit {
    let window = Window {
        title: "bevy_steer: gallery".to_owned(),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let gallery = GalleryWindowPlugin { options: options.clone() };
    App::new().add_plugins((DefaultPlugins.set(windows), gallery)).run()
}

/// The gallery with everything that is seen and pressed. Needs Bevy's `DefaultPlugins`.
#[derive(Clone, Debug)]
pub struct GalleryWindowPlugin {
    /// The command line.
    pub options: Options,
}

impl Plugin for GalleryWindowPlugin {
    fn build(&self, app: &mut App) {
        let options = &self.options;
        app.add_plugins((
            StagePlugin { scene: options.scene },
            SteeringGizmosPlugin,
            SteeringInspectorPlugin { open: options.inspector, ..default() },
            KeysPlugin,
            CameraPlugin { drag: RIGHT_OR_MIDDLE },
            SmoothMotionPlugin,
        ))
        .init_gizmo_group::<Scenery>()
        .insert_resource(ClearColor(palette::GROUND))
        .insert_resource(Setup(options.clone()))
        .init_resource::<MeshCache>()
        .init_resource::<panel::SceneArea>()
        .add_systems(Startup, (camera::set_up, explain::set_up))
        .add_systems(
            PreUpdate,
            (
                input::press_keys.in_set(KeySystems),
                (explain::click.run_if(explain::takes_clicks), input::click)
                    .chain()
                    .in_set(PointerSystems),
            )
                .chain(),
        )
        .add_systems(FixedUpdate, trail::record.after(RunSteering))
        .add_systems(
            Update,
            (
                explain::explain,
                (camera::show_whole, camera::set_view)
                    .chain()
                    .run_if(resource_changed::<CurrentScene>),
                (camera::fit_viewport, camera::cover),
                camera::sway,
                (meshes::add_look_meshes, meshes::add_obstacle_meshes),
                (camera::draw_edges, trail::draw, trail::draw_halos),
            )
                .chain(),
        )
        .add_systems(EguiPrimaryContextPass, panel::draw)
        .add_systems(Last, clip::clip.after(GizmoMeshSystems));
        if options.no_gizmos {
            app.add_systems(Startup, |mut store: ResMut<GizmoConfigStore>| {
                store.config_mut::<SteeringGizmos>().0.enabled = false;
            });
        }
        if options.inspector {
            app.add_systems(PostStartup, select_agent);
        }
        let takes_screenshot = options.screenshot.is_some();
        if takes_screenshot {
            app.insert_resource(TimeUpdateStrategy::ManualDuration(SCREENSHOT_FRAME));
        }
        if let Some(seconds) = options.seconds.or(takes_screenshot.then_some(5.0)) {
            let mut has_finished = false;
            let is_over = move |clock: Res<SceneClock>| {
                let is_over = clock.0 >= seconds && !has_finished;
                has_finished |= is_over;
                is_over
            };
            app.add_systems(Update, finish.run_if(is_over));
        }
    }
}

/// Ends a run after its seconds, with a screenshot if one was asked for.
fn finish(setup: Res<Setup>, commands: Commands, exit: MessageWriter<AppExit>) {
    match &setup.0.screenshot {
        Some(path) => save_screenshot_and_quit(path.clone(), commands),
        None => quit(exit),
    }
}
