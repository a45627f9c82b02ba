//! Boids: three hundred birds that stay together, keep their distance and align their directions.
//!
//! `cargo run -p bevy_steer --example flock`

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let window = Window { title: "bevy_steer: flock".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    // A bird that leaves on one side enters on the other. Birds near opposite edges are neighbours
    // in such a world.
    let world = Bounds::rect(vec2(-640.0, -360.0), TOP_RIGHT, BoundsEdge::Wrap);
    app.add_plugins(SteeringPlugin::default())
        .insert_resource(WorldBounds(world))
        .add_systems(Startup, spawn)
        .add_systems(Update, |mut gizmos: Gizmos| {
            let top_left = vec2(-TOP_RIGHT.x, TOP_RIGHT.y);
            gizmos.line_2d(top_left, TOP_RIGHT, Color::srgb(0.5, 0.5, 0.55));
        });
}

/// The corner of the world. The text is above it.
const TOP_RIGHT: Vec2 = vec2(640.0, 326.0);

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "Each bird stays near its neighbours, keeps its distance and goes the same way",
    ));
    let bird = meshes.add(Triangle2d::new(vec2(9.0, 0.0), vec2(-6.0, 5.0), vec2(-6.0, -5.0)));
    let colors = [Color::srgb(0.95, 0.75, 0.3), Color::srgb(0.4, 0.8, 0.7), Color::WHITE]
        .map(|color| materials.add(color));

    // The weights of separation, alignment and cohesion.
    let flock = Flock::new(60.0).with_separation_radius(25.0).with_rules(1.5, 1.0, 0.8);
    for i in 0..300 {
        // Multiples of the golden angle spread the birds evenly without a random generator.
        let turn = 2.4 * i as f32;
        let place = Vec2::from_angle(turn) * 20.0 * (i as f32).sqrt();
        commands.spawn((
            Vehicle::new(130.0).with_radius(6.0),
            flock,
            // Less urgent than flocking: it moves birds that are alone.
            Wander::default(),
            Transform::from_translation(place.extend(0.0))
                .with_rotation(Quat::from_rotation_z(i as f32)),
            Mesh2d(bird.clone()),
            MeshMaterial2d(colors[i % colors.len()].clone()),
        ));
    }
}
