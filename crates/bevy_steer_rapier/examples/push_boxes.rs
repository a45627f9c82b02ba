//! A crowd of dynamic bodies pushes boxes out of its way, and goes round what stands fast.
//!
//! `cargo run -p bevy_steer_rapier --example push_boxes`

use bevy::prelude::*;
use bevy_rapier2d::prelude::{
    Collider, ColliderMassProperties::Mass, Damping, NoUserData, RapierConfiguration,
    RapierContextInitialization, RapierPhysicsPlugin, RigidBody, TimestepMode,
};
use bevy_steer::prelude::*;
use bevy_steer_examples::{
    camera::{WindowCamera, fit},
    smooth::TransformInterpolation,
    window::run_in_window,
};
use bevy_steer_rapier::{IgnoredCollider, dim2::RapierSteeringPlugin};

fn main() -> AppExit {
    run_in_window("bevy_steer: push boxes", game, |app| {
        // Boxes are drawn between their places, as agents are.
        app.register_required_components::<RigidBody, TransformInterpolation>();
    })
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    let engine = RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule();
    // The time of a fixed step of Bevy's.
    app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
        .add_plugins((
            SteeringPlugin::default(),
            engine.with_custom_initialization(seen_from_above()),
            RapierSteeringPlugin::default(),
        ))
        .insert_resource(ClearColor(Color::srgb(0.16, 0.17, 0.19)))
        .add_systems(Startup, (spawn_yard, spawn_crowd));
}

/// A world without gravity, in which a body is about twenty units wide.
fn seen_from_above() -> RapierContextInitialization {
    let mut initial = RapierContextInitialization::default_with_length_unit(20.0);
    if let RapierContextInitialization::InitializeDefaultRapierContext {
        rapier_configuration: RapierConfiguration { gravity, .. },
        ..
    } = &mut initial
    {
        *gravity = Vec2::ZERO;
    }
    initial
}

fn spawn_yard(mut commands: Commands) {
    commands.spawn((Camera2d, fit(vec2(1280.0, 720.0)), WindowCamera::flat()));
    commands.spawn((
        Text::new("The crowd pushes the brown boxes away, and goes round the gray blocks"),
        Node { left: px(12), top: px(8), ..default() },
    ));
    // What stands fast is an obstacle.
    for y in [-180.0, 0.0, 180.0] {
        let size = Vec2::new(40.0, 90.0);
        commands.spawn((
            (RigidBody::Fixed, Collider::cuboid(0.5 * size.x, 0.5 * size.y)),
            Sprite::from_color(Color::srgb(0.45, 0.46, 0.5), size),
            Transform::from_xyz(150.0, y, 0.0),
        ));
    }
    // What slides away is not one.
    for i in 0..36 {
        let place = Vec2::new(32.0 * (i % 3) as f32 - 80.0, 44.0 * (i / 3) as f32 - 242.0);
        let damping = Damping { linear_damping: 1.5, angular_damping: 1.5 };
        commands.spawn((
            (RigidBody::Dynamic, Collider::cuboid(12.0, 12.0), Mass(0.1), damping),
            IgnoredCollider,
            Sprite::from_color(Color::srgb(0.68, 0.5, 0.3), Vec2::splat(24.0)),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
}

fn spawn_crowd(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let disc = Mesh2d(meshes.add(Circle::new(10.0)));
    let blue = MeshMaterial2d(materials.add(Color::srgb(0.35, 0.7, 0.9)));
    for i in 0..40 {
        let lane = 60.0 * (i % 8) as f32 - 210.0;
        let start = Vec2::new(-340.0 - 36.0 * (i / 8) as f32, lane);
        // There and back again.
        let path = PathFollow::new([start, Vec2::new(-start.x, lane)])
            .with_end(PathEnd::PingPong)
            .by_waypoints(40.0);
        commands.spawn((
            // The mass of the body is the mass of the vehicle; its radius is that of the collider.
            (Vehicle::new(110.0), path, AvoidAgents::default(), AvoidObstacles::default()),
            (RigidBody::Dynamic, Collider::ball(10.0), Mass(1.0)),
            Transform::from_translation(start.extend(0.0)),
            (disc.clone(), blue.clone()),
        ));
    }
}
