//! The gallery in a window.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy, window::WindowResolution};
use bevy_egui::{EguiPrimaryContextPass, input::egui_wants_any_keyboard_input};
use bevy_steer::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    camera, dress, explain, input,
    options::Options,
    panel,
    stage::{Current, SceneClock, StagePlugin},
    trail::{self, Scenery},
};
use crate::{
    choice::select_somebody,
    palette,
    picture::{quit, save_picture_and_quit},
};

/// The command line.
#[derive(Resource, Clone, Debug)]
struct Setup(Options);

/// The window's size, in logical pixels.
const SIZE: UVec2 = UVec2::new(1280, 720);
/// Simulated time between the frames of a run that ends with a picture: the same on every machine.
const PICTURE_FRAME: Duration = Duration::from_millis(31);

/// Opens the window and shows scenes until it is closed.
pub fn run(options: &Options) {
    let window = Window {
        title: "bevy_steer: gallery".to_owned(),
        resolution: WindowResolution::new(SIZE.x, SIZE.y),
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins.set(windows),
        StagePlugin { scene: options.scene },
        SteeringGizmosPlugin,
        SteeringInspectorPlugin {
            open: options.inspector,
            ..SteeringInspectorPlugin::default().with_key(KeyCode::KeyI)
        },
    ))
    .init_gizmo_group::<Scenery>()
    .insert_resource(ClearColor(palette::GROUND))
    .insert_resource(Setup(options.clone()))
    .init_resource::<dress::Wardrobe>()
    .add_systems(Startup, (camera::set_up, explain::set_up))
    .add_systems(
        PreUpdate,
        (input::press_keys.run_if(not(egui_wants_any_keyboard_input)), input::click).chain(),
    )
    .add_systems(FixedUpdate, trail::note.after(RunSteering))
    .add_systems(
        Update,
        (
            explain::explain,
            camera::set_view.run_if(resource_changed::<Current>),
            camera::fit_viewport,
            camera::sway,
            (dress::dress_agents, dress::dress_obstacles),
            (camera::draw_edges, trail::draw, trail::draw_halos),
        )
            .chain(),
    )
    .add_systems(EguiPrimaryContextPass, panel::draw);
    if options.no_gizmos {
        app.add_systems(Startup, |mut store: ResMut<GizmoConfigStore>| {
            store.config_mut::<SteeringGizmos>().0.enabled = false;
        });
    }
    if options.inspector {
        app.add_systems(PostStartup, select_somebody);
    }
    let is_picture = options.screenshot.is_some();
    if is_picture {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(PICTURE_FRAME));
    }
    let seconds = options.seconds.or(is_picture.then_some(5.0));
    if let Some(seconds) = seconds {
        let mut left = false;
        let over = move |clock: Res<SceneClock>| {
            let over = clock.0 >= seconds && !left;
            left |= over;
            over
        };
        app.add_systems(Update, leave.run_if(over));
    }
    app.run();
}

/// Leaves when the time that was given is over, with a picture if one was asked for.
fn leave(setup: Res<Setup>, commands: Commands, exit: MessageWriter<AppExit>) {
    match &setup.0.screenshot {
        Some(path) => save_picture_and_quit(path.clone(), commands),
        None => quit(exit),
    }
}
