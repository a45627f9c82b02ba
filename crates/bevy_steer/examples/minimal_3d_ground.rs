//! Agents on the ground of a 3D world: a flock of sheep wanders, and a dog chases it.
//!
//! `cargo run -p bevy_steer --example minimal_3d_ground`

use bevy::{core_pipeline::tonemapping::Tonemapping, prelude::*};
use bevy_steer::prelude::*;
use std::f32::consts::FRAC_PI_2;

fn main() {
    let window = Window { title: "bevy_steer: sheep and a dog".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let meadow = Bounds::ground(Vec2::splat(-10.0), Vec2::splat(10.0), BoundsEdge::Bounce);
    // On the ground agents move in x and z. Steering never changes their y.
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Xz))
        .insert_resource(WorldBounds(meadow))
        .add_systems(Startup, spawn);
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // Bevy's default tonemapping needs its feature `tonemapping_luts`; this one needs none.
    let view = Transform::from_xyz(0.0, 13.0, 17.0).looking_at(Vec3::new(0.0, 0.0, 1.0), Vec3::Y);
    commands.spawn((Camera3d::default(), Tonemapping::Reinhard, view));
    commands.spawn(Text::new("The brown dog chases the nearest sheep, and sheep near it flee"));
    let sun = Transform::from_xyz(4.0, 9.0, 6.0).looking_at(Vec3::ZERO, Vec3::Y);
    commands.spawn((DirectionalLight::default(), sun));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::default().mesh().size(21.0, 21.0))),
        MeshMaterial3d(materials.add(Color::srgb(0.25, 0.45, 0.2))),
    ));

    // In 3D agents face along -z, the forward axis of a `Transform`. A cone that points there:
    let cone = Mesh::from(Cone::new(0.35, 1.1)).rotated_by(Quat::from_rotation_x(-FRAC_PI_2));
    let cone = Mesh3d(meshes.add(cone));
    let wool = MeshMaterial3d(materials.add(Color::srgb(0.9, 0.9, 0.85)));
    for i in 0..12 {
        commands.spawn((
            Vehicle::new(1.5).with_radius(0.5),
            (Wander::default(), AvoidAgents::default()),
            Flee::new(Target::nearest(DOG, 3.0)),
            Transform::from_xyz((i % 4) as f32 * 2.0 - 3.0, 0.4, (i / 4) as f32 * 2.0 - 2.0),
            (cone.clone(), wool.clone()),
        ));
    }
    let dog = (Vehicle::new(2.5).with_radius(0.5), DOG, Pursue::new(Target::nearest(SHEEP, 30.0)));
    let fur = MeshMaterial3d(materials.add(Color::srgb(0.6, 0.3, 0.1)));
    commands.spawn((dog, Transform::from_xyz(-8.0, 0.4, 6.0), cone, fur));
}

/// Agents are in the first layer by default.
const SHEEP: SteeringLayers = SteeringLayers::layer(0);
const DOG: SteeringLayers = SteeringLayers::layer(1);
