//! Steering at 10 ticks a second, drawn smoothly at any frame rate.
//!
//! `cargo run -p bevy_steer --example smooth_motion`

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};
use bevy_transform_interpolation::{
    RotationEasingState, TransformEasingSystems, TranslationEasingState, prelude::*,
};

fn main() {
    let window = Window { title: "bevy_steer: smooth motion".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let half = Vec2::new(500.0, 300.0);
    app.add_plugins((SteeringPlugin::default(), TransformInterpolationPlugin::default()))
        // So slow that the difference is seen; Bevy's default is 64.
        .insert_resource(Time::<Fixed>::from_hz(10.0))
        .insert_resource(WorldBounds(Bounds::rect(-half, half, BoundsEdge::Wrap)))
        .add_systems(Startup, spawn)
        .add_systems(FixedLast, skip_jumps.after(TransformEasingSystems::UpdateEnd))
        .add_systems(Update, (draw_edges, draw_trails));
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "Both are steered ten times a second. Green is drawn between its positions, white is not",
    ));
    let agent = |color: Color, y: f32| {
        let look = Sprite::from_color(color, vec2(40.0, 24.0));
        // Wandering without changes of direction: straight ahead.
        let straight = Wander::default().with_rate(0.0);
        (Vehicle::new(400.0), straight, look, Transform::from_xyz(0.0, y, 0.0))
    };
    // White is drawn at its position after the last tick. At most frame rates it stutters.
    commands.spawn(agent(Color::WHITE, 60.0));
    // Green is drawn between its positions before and after the last tick.
    commands.spawn((agent(Color::srgb(0.4, 0.85, 0.5), -60.0), TransformInterpolation));
}

/// An agent that wraps around the world, or that the game puts elsewhere, is not drawn on its way
/// there: it comes in from outside of the edge, or begins where it is now.
fn skip_jumps(
    bounds: Res<WorldBounds>,
    mut agents: Query<(
        (&mut TranslationEasingState, &mut RotationEasingState),
        (&Velocity, &Vehicle),
    )>,
    time: Res<Time>,
) {
    for ((mut easing, mut turning), (velocity, vehicle)) in &mut agents {
        let (Some(start), Some(end)) = (easing.start, easing.end) else { continue };
        let way = bounds.shortest(end - start);
        // More than twice what its velocity makes in a tick, and more than its diameter.
        let led = velocity.length() * time.delta_secs();
        let is_jump = way.length() > (2.0 * led).max(2.0 * vehicle.radius);
        easing.start = Some(if is_jump { end } else { end - way });
        if is_jump {
            turning.start = turning.end;
        }
    }
}

fn draw_edges(bounds: Res<WorldBounds>, mut gizmos: Gizmos) {
    let size = (bounds.max - bounds.min).truncate();
    gizmos.rect_2d(Isometry2d::IDENTITY, size, Color::srgb(0.5, 0.5, 0.55));
}

/// Draws a point where each agent was in each of the last frames.
fn draw_trails(
    agents: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|agent| agent.translation.truncate()));
    let old = trails.len().saturating_sub(120);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 2.0, Color::srgb(0.5, 0.52, 0.55)).resolution(4);
    }
}
