//! Agents that fly: a school of fish in open water, free to move in all three dimensions.
//!
//! `cargo run -p bevy_steer --example free_3d`

use bevy::{core_pipeline::tonemapping::Tonemapping, prelude::*};
use bevy_steer::prelude::*;
use std::f32::consts::FRAC_PI_2;

fn main() {
    let window = Window { title: "bevy_steer: fish in open water".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let half = Vec3::new(16.0, 8.0, 10.0);
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Free))
        .insert_resource(WorldBounds(Bounds::cuboid(-half, half, BoundsEdge::Bounce)))
        .insert_resource(ClearColor(Color::srgb(0.02, 0.1, 0.16)))
        .add_systems(Startup, spawn)
        .add_systems(Update, draw_water);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // Bevy's default tonemapping needs its feature `tonemapping_luts`; this one needs none.
    let view = Transform::from_xyz(14.0, 9.0, 30.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, view));
    commands.spawn(Text::new(
        "Fish swim in schools in all three dimensions and turn back at the edges",
    ));
    let sun = Transform::from_xyz(2.0, 9.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), sun));

    // In 3D agents face along -z, the forward axis of a `Transform`. A cone that points there:
    let fish = Mesh::from(Cone::new(0.25, 1.0)).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    let fish = meshes.add(fish);
    for i in 0..150 {
        // Multiples of the golden angle spread the fish evenly without a random generator.
        let turn = Quat::from_rotation_y(2.4 * i as f32);
        let place = turn * Vec3::new(0.04 * i as f32 + 0.5, (i % 7) as f32 - 3.0, 0.0);
        commands.spawn((
            Vehicle::new(5.0),
            Flock::new(3.0),
            Wander::default(),
            Transform::from_translation(place).with_rotation(turn),
            Mesh3d(fish.clone()),
            MeshMaterial3d(materials.add(Color::hsl(i as f32 * 0.4 + 10.0, 0.8, 0.55))),
        ));
    }
}

/// The edges of the world, at which the fish turn back.
fn draw_water(bounds: Res<WorldBounds>, mut gizmos: Gizmos) {
    let box_of_water = Transform::from_scale(bounds.max - bounds.min);
    gizmos.cube(box_of_water, Color::srgb(0.2, 0.4, 0.5));
}
