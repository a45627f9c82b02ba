//! What the windows of the other crates' examples have in common: the camera, the keys, the panel
//! and a line that names the keys.

use bevy::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

use crate::{
    camera::{CameraPlugin, RIGHT_OR_MIDDLE},
    keys::{Action, KeysPlugin, help},
    palette,
    smooth::SmoothMotionPlugin,
};

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
