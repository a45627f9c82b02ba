//! Steering at 64 ticks a second, drawn smoothly at 144 frames a second.
//!
//! `cargo run -p bevy_steer --example smooth_motion`

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_transform_interpolation::{TransformEasingSystems, TranslationEasingState, prelude::*};

fn main() {
    App::new().add_plugins((DefaultPlugins, game)).run();
}

/// Everything but the window, so that a test can run it too.
pub(crate) fn game(app: &mut App) {
    let half = Vec2::new(500.0, 300.0);
    app.add_plugins((SteeringPlugin::default(), TransformInterpolationPlugin::default()))
        // Bevy's default. To see the difference better, try 10.
        .insert_resource(Time::<Fixed>::from_hz(64.0))
        .insert_resource(WorldBounds(Bounds::rect(-half, half, BoundsEdge::Wrap)))
        .add_systems(Startup, spawn)
        .add_systems(FixedLast, come_in_from_outside.after(TransformEasingSystems::UpdateEnd))
        .add_systems(Update, draw_edges);
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    let agent = |color: Color, y: f32| {
        let look = Sprite::from_color(color, vec2(40.0, 24.0));
        // A stroll without any change of direction: straight on.
        let straight = Wander::default().with_rate(0.0);
        (Vehicle::new(400.0), straight, look, Transform::from_xyz(0.0, y, 0.0))
    };
    // White is drawn where the last tick has put it. At most frame rates it stutters.
    commands.spawn(agent(Color::WHITE, 60.0));
    // Green is drawn on its way from the place before the last tick to the place after it.
    commands.spawn((agent(Color::srgb(0.4, 0.85, 0.5), -60.0), TransformInterpolation));
}

/// An agent that leaves a wrapping world on one side and comes in on the other has jumped. It must
/// not be drawn on its way through the middle, so it starts as far outside as it came.
fn come_in_from_outside(bounds: Res<WorldBounds>, mut agents: Query<&mut TranslationEasingState>) {
    for mut easing in &mut agents {
        if let (Some(start), Some(end)) = (easing.start, easing.end) {
            easing.start = Some(end - bounds.shortest(end - start));
        }
    }
}

fn draw_edges(bounds: Res<WorldBounds>, mut gizmos: Gizmos) {
    let size = (bounds.max - bounds.min).truncate();
    gizmos.rect_2d(Isometry2d::IDENTITY, size, Color::srgb(0.5, 0.5, 0.55));
}
