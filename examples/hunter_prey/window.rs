//! The game in a window.

use std::time::Duration;

use bevy::{
    camera::ScalingMode, prelude::*, time::common_conditions::once_after_real_delay,
    window::WindowResolution,
};
use bevy_steer::SteeringGizmosPlugin;
use bevy_steer_inspector::SteeringInspectorPlugin;

use super::{
    bloom,
    game::{GamePlugin, Setup},
    hud, keys,
    mouse::{ArenaCamera, MousePlugin},
    movie::{self, MoviePlugin},
    options::Options,
    view::ViewPlugin,
};
use crate::{
    camera::{CameraPlugin, RIGHT_OR_MIDDLE, WindowCamera},
    keys::{KeySystems, KeysPlugin},
    screenshot::{quit, save_screenshot_and_quit},
};

/// The window's size, in logical pixels and in units of the arena.
const SIZE: UVec2 = UVec2::new(1280, 720);

/// Opens the window and runs the game until it is closed.
pub fn run(options: &Options) -> AppExit {
    let size = if options.movie.is_some() { movie::SIZE } else { SIZE };
    let window = Window {
        title: "bevy_steer: hunters and prey".to_owned(),
        resolution: WindowResolution::new(size.x, size.y),
        ..default()
    };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new()
        .add_plugins((DefaultPlugins.set(windows), GameWindowPlugin { options: options.clone() }))
        .run()
}

/// The game with everything that is seen and pressed. Needs Bevy's `DefaultPlugins`.
#[derive(Clone, Debug)]
pub struct GameWindowPlugin {
    /// The command line.
    pub options: Options,
}

impl Plugin for GameWindowPlugin {
    fn build(&self, app: &mut App) {
        let options = &self.options;
        let game =
            if options.movie.is_some() { movie::empty_arena(options) } else { options.clone() };
        app.add_plugins((
            GamePlugin::new(game),
            MousePlugin,
            ViewPlugin,
            SteeringGizmosPlugin,
            SteeringInspectorPlugin::default().closed(),
            KeysPlugin,
            CameraPlugin { drag: RIGHT_OR_MIDDLE },
        ))
        .add_systems(Startup, (spawn_camera, bloom::add).chain())
        .add_systems(PreUpdate, (keys::press_keys, hud::show_keys).in_set(KeySystems));
        match &options.movie {
            Some(folder) => app.add_plugins(MoviePlugin { folder: folder.clone() }),
            None => app.add_systems(Startup, hud::spawn).add_systems(Update, hud::update),
        };
        if let Some(seconds) = options.seconds.or(options.screenshot.as_ref().map(|_| 5.0)) {
            let is_over = once_after_real_delay(Duration::from_secs_f32(seconds));
            app.add_systems(Update, finish.run_if(is_over));
        }
    }
}

fn spawn_camera(mut commands: Commands) {
    let scaling_mode = ScalingMode::AutoMin { min_width: SIZE.x as f32, min_height: SIZE.y as f32 };
    let projection =
        OrthographicProjection { scaling_mode, ..OrthographicProjection::default_2d() };
    let camera = (Camera2d, Projection::Orthographic(projection), WindowCamera::flat());
    commands.spawn((ArenaCamera, camera));
}

/// Ends a run after its seconds, with a screenshot if one was asked for.
fn finish(setup: Res<Setup>, commands: Commands, exit: MessageWriter<AppExit>) {
    match &setup.options.screenshot {
        Some(path) => save_screenshot_and_quit(path.clone(), commands),
        None => quit(exit),
    }
}
