//! Two ways to follow the same path: from point to point, and anywhere along a corridor.
//!
//! `cargo run -p bevy_steer --example path_follow`

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let window = Window { title: "bevy_steer: two ways to follow a path".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(Update, (draw_path, draw_trails));
}

const ORANGE: Color = Color::srgb(0.9, 0.6, 0.1);
const BLUE: Color = Color::srgb(0.35, 0.7, 0.9);

const PATH: [Vec2; 6] = [
    vec2(-500.0, -220.0),
    vec2(-380.0, 200.0),
    vec2(-120.0, -60.0),
    vec2(120.0, 220.0),
    vec2(480.0, 160.0),
    vec2(380.0, -240.0),
];

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "Orange passes each point, blue stays in a corridor around the line and cuts corners",
    ));
    let triangle = Triangle2d::new(vec2(20.0, 0.0), vec2(-12.0, 11.0), vec2(-12.0, -11.0));
    let mesh = Mesh2d(meshes.add(triangle));
    let [orange, blue] =
        [ORANGE, BLUE].map(|color| (MeshMaterial2d(materials.add(color)), Trail(color)));

    // The last point is followed by the first. `PathEnd::Stop`, the default, stops at the last
    // point; `PathEnd::PingPong` follows the path backwards.
    let follow = PathFollow::new(PATH).with_end(PathEnd::Loop);
    let start = Transform::from_xyz(-500.0, -220.0, 0.0);
    let vehicle = Vehicle::new(200.0).with_max_force(400.0);

    // Orange moves to each point until it is within 25 units of it, so it visits all of them.
    commands.spawn((vehicle, follow.clone().by_waypoints(25.0), start, mesh.clone(), orange));

    // Blue stays within 40 units of the line, looks half a second ahead, and cuts corners.
    commands.spawn((vehicle, follow.along_corridor(40.0, 0.5), start, mesh, blue));
}

fn draw_path(mut gizmos: Gizmos) {
    gizmos.linestrip_2d(PATH.into_iter().chain([PATH[0]]), Color::srgb(0.5, 0.5, 0.55));
    for point in PATH {
        gizmos.circle_2d(point, 25.0, ORANGE);
    }
}

/// The colour of an agent and of its trail.
#[derive(Component)]
struct Trail(Color);

/// Draws where the agents have been.
fn draw_trails(
    agents: Query<(&Transform, &Trail)>,
    mut trails: Local<Vec<(Vec2, Color)>>,
    mut gizmos: Gizmos,
) {
    trails.extend(agents.iter().map(|(agent, trail)| (agent.translation.truncate(), trail.0)));
    let old = trails.len().saturating_sub(600);
    trails.drain(..old);
    for &(place, color) in &*trails {
        gizmos.circle_2d(place, 1.0, color).resolution(4);
    }
}
