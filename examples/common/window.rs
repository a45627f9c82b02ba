//! [`run_in_window`]: what the windows of the other crates' examples have in common. That is the
//! camera, the keys, the panel and a line that names the keys.

use bevy::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

use crate::{
    camera::{CameraPlugin, RIGHT_OR_MIDDLE},
    keys::{Action, KeysPlugin, help},
    palette,
    smooth::SmoothMotionPlugin,
};

/// Runs a game and what is only seen in a window, in one with this title. Where no window can be
/// opened, simulates some seconds of the game and prints what has happened.
pub fn run_in_window(title: &str, game: fn(&mut App), picture: fn(&mut App)) -> AppExit {
    #[cfg(not(target_family = "wasm"))]
    if let Some(reason) = crate::display::no_window_reason() {
        println!("No window can be opened because {reason}");
        println!("Without one: {}", crate::windowless::simulate(game));
        return AppExit::Success;
    }
    let window = Window { title: title.to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(windows));
    // As plugins both would have the same name.
    game(&mut app);
    picture(&mut app);
    app.add_plugins(ExampleWindowPlugin).run()
}

/// Adds the inspector, which is closed, the keys, smooth motion and the camera: the game's camera
/// needs a [`WindowCamera`](crate::camera::WindowCamera). Needs Bevy's `DefaultPlugins`.
#[derive(Clone, Copy, Debug)]
pub struct ExampleWindowPlugin;

/// The keys besides those that work in all windows.
const KEYS: [Action; 4] = [Action::Zoom, Action::Drag, Action::Pan, Action::ShowWhole];

impl Plugin for ExampleWindowPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            SteeringInspectorPlugin::default().closed(),
            KeysPlugin,
            CameraPlugin { drag: RIGHT_OR_MIDDLE },
            SmoothMotionPlugin,
        ))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn((
                Text::new(help(&KEYS)),
                TextFont { font_size: FontSize::Px(14.0), ..default() },
                TextColor(palette::TEXT),
                BackgroundColor(palette::DEEP.with_alpha(0.6)),
                Node {
                    position_type: PositionType::Absolute,
                    left: px(12),
                    bottom: px(4),
                    padding: px(3).all(),
                    ..default()
                },
            ));
        });
    }
}
