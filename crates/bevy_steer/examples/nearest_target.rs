//! Agents that seek the nearest target of a kind: ants collect crumbs.
//!
//! `cargo run -p bevy_steer --example nearest_target`

use bevy::prelude::*;
use bevy_steer::{NeighborQuery, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: nearest target".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, collect.after(RunSteering))
        .add_systems(Update, draw_trails);
}

/// Layers classify entities. There are 32 of them.
const ANT: SteeringLayers = SteeringLayers::layer(1);
const CRUMB: SteeringLayers = SteeringLayers::layer(2);

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands.spawn(Text::new(
        "Each ant seeks the nearest crumb. A crumb that is eaten grows again elsewhere",
    ));
    let ant = Mesh2d(meshes.add(Ellipse::new(14.0, 7.0)));
    let brown = MeshMaterial2d(materials.add(Color::srgb(0.85, 0.4, 0.25)));
    for i in 0..8 {
        commands.spawn((
            (Vehicle::new(160.0).with_radius(10.0), ANT),
            // It seeks the nearest crumb within 400 units, and wanders if there is none.
            (Seek::new(Target::nearest(CRUMB, 400.0)), Wander::default(), AvoidAgents::default()),
            Transform::from_xyz(80.0 * i as f32 - 280.0, 0.0, 1.0),
            (ant.clone(), brown.clone()),
        ));
    }
    let crumb = Mesh2d(meshes.add(Circle::new(5.0)));
    let yellow = MeshMaterial2d(materials.add(Color::srgb(0.95, 0.9, 0.6)));
    for i in 1..=40 {
        // A crumb is not an agent: it only needs layers and a `Transform` to be found.
        let place = Vec2::from_angle(2.4 * i as f32) * 50.0 * (i as f32).sqrt();
        let place = Transform::from_translation(place.extend(0.0));
        commands.spawn((CRUMB, place, crumb.clone(), yellow.clone()));
    }
}

/// Finds the crumbs that an ant has reached, by a query of the same index that the agents use.
fn collect(neighbors: Neighbors, mut crumbs: Query<&mut Transform, Without<Vehicle>>) {
    for mut crumb in &mut crumbs {
        let query = NeighborQuery::at(crumb.translation).with_layers(ANT);
        if neighbors.nearest(query, 15.0).is_some() {
            // Move the crumb, as if another one fell elsewhere.
            crumb.translation = Quat::from_rotation_z(2.4) * crumb.translation;
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
    let old = trails.len().saturating_sub(8 * 60);
    trails.drain(..old);
    for &place in &*trails {
        gizmos.circle_2d(place, 1.0, Color::srgb(0.5, 0.27, 0.2)).resolution(4);
    }
}
