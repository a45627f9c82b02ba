//! A player is controlled with the arrow keys, and walls stop it like all agents.
//!
//! `cargo run -p bevy_steer --example player_input`

use bevy::prelude::*;
use bevy_steer::prelude::*;

fn main() {
    let window = Window { title: "bevy_steer: player input".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), SteeringGizmosPlugin))
        .add_systems(Startup, spawn)
        .add_systems(Update, (draw_walls, draw_trail))
        .add_systems(SteeringSchedule, steer_player.in_set(SteeringSystems::Decide));
}

/// Adds the player's input as a request. With `straight` a wall stops the player, where it would
/// deflect another agent along it.
fn steer_player(
    keys: Res<ButtonInput<KeyCode>>,
    mut players: Query<(&Vehicle, &mut SteeringWish)>,
) {
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    let way = vec3(x, y, 0.0).normalize_or_zero();
    for (vehicle, mut wishes) in &mut players {
        wishes.push(Wish::velocity(way * vehicle.max_speed).straight());
    }
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new("The arrow keys move the player. Walls stop it"));
    let corners =
        [vec2(-400.0, -250.0), vec2(400.0, -250.0), vec2(400.0, 250.0), vec2(-400.0, 250.0)];
    for (i, &corner) in corners.iter().enumerate() {
        commands.spawn(Wall::new(corner, corners[(i + 1) % 4]));
    }
    let size = vec2(80.0, 240.0);
    commands.spawn((
        Obstacle::rect(size),
        Sprite::from_color(Color::srgb(0.4, 0.42, 0.48), size),
        Transform::from_xyz(150.0, 0.0, 0.0),
    ));
    commands.spawn((
        Vehicle::new(250.0).with_radius(15.0),
        SteeringWish::default(),
        (AvoidWalls::default(), AvoidObstacles::default()),
        Sprite::from_color(Color::WHITE, vec2(30.0, 20.0)),
    ));
}

fn draw_walls(walls: Query<&Wall>, mut gizmos: Gizmos) {
    for wall in &walls {
        let [start, end] = wall.ends(SteeringPlane::Xy);
        gizmos.line(start, end, Color::srgb(0.8, 0.8, 0.85));
    }
}

/// Draws where the player has been.
fn draw_trail(
    players: Query<&Transform, With<Vehicle>>,
    mut trail: Local<Vec<Vec2>>,
    mut gizmos: Gizmos,
) {
    trail.extend(players.iter().map(|player| player.translation.truncate()));
    let old = trail.len().saturating_sub(300);
    trail.drain(..old);
    for &place in &*trail {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.5, 0.52, 0.55)).resolution(4);
    }
}
