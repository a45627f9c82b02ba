//! The smallest game with steering: one agent that chases a moving target.
//!
//! `cargo run -p bevy_steer --example minimal_2d`

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let window = Window { title: "bevy_steer: one agent".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        // Steering runs in `FixedUpdate`. Move its targets just before it.
        .add_systems(FixedUpdate, move_target.before(RunSteering))
        .add_systems(Update, draw_trails);
}

/// A component of the game. Steering does not need it.
#[derive(Component)]
struct Circling;

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new("Blue seeks yellow, which is faster"));

    // A target is any entity that has a `Transform`.
    let target = commands
        .spawn((
            Circling,
            Mesh2d(meshes.add(Circle::new(8.0))),
            MeshMaterial2d(materials.add(Color::srgb(0.95, 0.9, 0.25))),
        ))
        .id();

    // A `Vehicle` (its body, here with a top speed of 180 units a second) and a behaviour make an
    // agent. In 2D agents point along +x, like this triangle, and face along their velocity.
    let triangle = Triangle2d::new(vec2(20.0, 0.0), vec2(-12.0, 11.0), vec2(-12.0, -11.0));
    commands.spawn((
        Vehicle::new(180.0),
        Seek::new(target),
        Transform::from_xyz(-500.0, -200.0, 0.0),
        Mesh2d(meshes.add(triangle)),
        MeshMaterial2d(materials.add(Color::srgb(0.35, 0.7, 0.9))),
    ));
}

fn move_target(time: Res<Time>, mut target: Single<&mut Transform, With<Circling>>) {
    target.translation = (Vec2::from_angle(time.elapsed_secs()) * 220.0).extend(0.0);
}

/// Draws where the agents have been.
fn draw_trails(
    agents: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|agent| agent.translation.truncate()));
    let old = trails.len().saturating_sub(180);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.25, 0.45, 0.6)).resolution(4);
    }
}
