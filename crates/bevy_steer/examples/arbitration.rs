//! Four ways to combine the requests of several behaviours into one force.
//!
//! A current carries every agent to the right, with a large weight, and each avoids a rock on its
//! path. None hits the rock, as `AvoidObstacles` also limits the velocity; but arbitration decides
//! how far away from it an agent passes.
//!
//! With a goal, as of `Seek`, all would go round the rock on the same way.
//!
//! `cargo run -p bevy_steer --example arbitration`

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: arbitration".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, start_again.after(RunSteering))
        .add_systems(Update, draw_trails);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "A current carries all past a rock. How near they pass depends on their arbitration",
    ));
    let triangle = Triangle2d::new(vec2(16.0, 0.0), vec2(-10.0, 9.0), vec2(-10.0, -9.0));
    let triangle = Mesh2d(meshes.add(triangle));
    let disc = Mesh2d(meshes.add(Circle::new(40.0)));
    let grey = MeshMaterial2d(materials.add(Color::srgb(0.4, 0.42, 0.48)));
    let blue = MeshMaterial2d(materials.add(Color::srgb(0.35, 0.7, 0.9)));

    let modes = [
        // All requests are added by weight. A large weight can drown a more urgent request: this
        // agent passes closest to the rock.
        ("WeightedSum", Arbitration::WeightedSum),
        // The default: the most urgent tier first, the next one gets the remaining force.
        ("Prioritized", Arbitration::Prioritized),
        // The most urgent tier with a request gets all the force.
        ("FirstActive", Arbitration::FirstActive { epsilon: 1.0 }),
        // In each tick one tier is chosen at random, urgent ones more often.
        ("Dithered", Arbitration::dithered()),
    ];
    let current = commands.spawn((Velocity(Vec3::X * 220.0), Transform::default())).id();
    for (i, (name, arbitration)) in modes.into_iter().enumerate() {
        let y = 240.0 - 160.0 * i as f32;
        commands.spawn((
            (Vehicle::new(220.0).with_radius(12.0), arbitration),
            (AvoidObstacles::default(), MatchVelocity::new(current).with_weight(4.0)),
            (Transform::from_xyz(-560.0, y, 1.0), Lane(y)),
            (triangle.clone(), blue.clone()),
        ));
        let place = Transform::from_xyz(0.0, y - 4.0, 0.0);
        commands.spawn((Obstacle::sphere(40.0), place, disc.clone(), grey.clone()));
        commands.spawn((Text2d::new(name), Transform::from_xyz(-450.0, y + 50.0, 0.0)));
    }
}

/// Where an agent starts, from bottom to top.
#[derive(Component)]
struct Lane(f32);

fn start_again(mut agents: Query<(&mut Transform, &Lane)>) {
    for (mut transform, lane) in &mut agents {
        if transform.translation.x > 560.0 {
            transform.translation = Vec3::new(-560.0, lane.0, 1.0);
        }
    }
}

/// Draws where the agents have been.
fn draw_trails(
    agents: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|agent| agent.translation.truncate()));
    let old = trails.len().saturating_sub(1200);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.55, 0.7, 0.8)).resolution(4);
    }
}
