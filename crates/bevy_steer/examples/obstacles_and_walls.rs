//! Agents in a room with pillars: they steer around obstacles and keep away from walls.
//!
//! `cargo run -p bevy_steer --example obstacles_and_walls`

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let window = Window { title: "bevy_steer: obstacles and walls".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (draw_walls, draw_trails));
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new("Agents wander, steer around obstacles and keep away from the walls"));
    let stone = MeshMaterial2d(materials.add(Color::srgb(0.4, 0.42, 0.48)));

    // The shape that is avoided and the mesh that is drawn are set separately.
    for (x, y, radius) in [(-240.0, 80.0, 70.0), (10.0, -120.0, 55.0), (60.0, 150.0, 40.0)] {
        let mesh = Mesh2d(meshes.add(Circle::new(radius)));
        let place = Transform::from_xyz(x, y, 0.0);
        commands.spawn((Obstacle::sphere(radius), place, mesh, stone.clone()));
    }
    let turned = Transform::from_xyz(300.0, 0.0, 0.0).with_rotation(Quat::from_rotation_z(0.6));
    let mesh = Mesh2d(meshes.add(Rectangle::new(120.0, 60.0)));
    commands.spawn((Obstacle::rect(vec2(120.0, 60.0)), turned, mesh, stone));

    // A wall is a line, detected from both sides. Four make a room.
    let (x, y) = (500.0, 280.0);
    let corners = [vec2(-x, -y), vec2(x, -y), vec2(x, y), vec2(-x, y)];
    for i in 0..4 {
        commands.spawn(Wall::new(corners[i], corners[(i + 1) % 4]));
    }

    let triangle = Triangle2d::new(vec2(14.0, 0.0), vec2(-9.0, 8.0), vec2(-9.0, -8.0));
    let triangle = Mesh2d(meshes.add(triangle));
    let green = MeshMaterial2d(materials.add(Color::srgb(0.4, 0.85, 0.5)));
    for i in 0..12 {
        commands.spawn((
            Vehicle::new(150.0).with_radius(10.0),
            // Avoidance has priority over wandering, and its velocity limits always hold.
            (AvoidObstacles::default(), AvoidWalls::default(), Wander::default()),
            Transform::from_xyz(80.0 * i as f32 - 440.0, -230.0, 0.0),
            (triangle.clone(), green.clone()),
        ));
    }
}

fn draw_walls(walls: Query<&Wall>, mut gizmos: Gizmos) {
    for wall in &walls {
        let [start, end] = wall.ends(SteeringPlane::Xy);
        gizmos.line(start, end, Color::srgb(0.8, 0.8, 0.85));
    }
}

/// Draws where the agents have been.
fn draw_trails(
    agents: Query<&Transform, With<Vehicle>>,
    mut trails: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|agent| agent.translation.truncate()));
    let old = trails.len().saturating_sub(12 * 60);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.25, 0.5, 0.3)).resolution(4);
    }
}
