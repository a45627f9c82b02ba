//! Steering moves the bodies of a physics engine: it applies a force and reads back a velocity.
//!
//! `cargo run -p bevy_steer --example physics_avian2d`

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

fn main() {
    let window = Window { title: "bevy_steer: physics".to_owned(), ..default() };
    let windows = WindowPlugin { primary_window: Some(window), ..default() };
    App::new().add_plugins((DefaultPlugins.set(windows), game)).run();
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    // Steering runs in `FixedUpdate` and only computes forces; avian moves the bodies after it, in
    // `FixedPostUpdate`.
    app.add_plugins(SteeringPlugin::default().without_integration())
        .add_plugins(PhysicsPlugins::default().with_length_unit(20.0))
        .insert_resource(Gravity(Vec2::ZERO))
        .add_systems(Startup, spawn)
        .add_systems(SteeringSchedule, read_velocity.in_set(SteeringSystems::Prepare))
        // In the step in which steering would move the agents itself.
        .add_systems(SteeringSchedule, apply_force.in_set(SteeringSystems::Integrate));
}

/// Copies the velocity of the body, which a collision may have changed.
fn read_velocity(mut bodies: Query<(&LinearVelocity, &mut Velocity)>) {
    for (body, mut velocity) in &mut bodies {
        velocity.0 = body.extend(0.0);
    }
}

fn apply_force(mut bodies: Query<(Forces, &SteeringForce)>) {
    for (mut body, force) in &mut bodies {
        body.apply_force(force.linear.truncate());
    }
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn(Camera2d);
    commands
        .spawn(Text::new("Discs are steered from side to side by forces and push the crates away"));
    let disc = Mesh2d(meshes.add(Circle::new(12.0)));
    let blue = MeshMaterial2d(materials.add(Color::srgb(0.35, 0.7, 0.9)));
    let path = PathFollow::new([vec2(-450.0, 0.0), vec2(450.0, 0.0)]).with_end(PathEnd::PingPong);
    for i in 0..10 {
        commands.spawn((
            // The vehicle and the body must have the same mass.
            (Vehicle::new(250.0).with_radius(12.0), path.clone().by_waypoints(60.0)),
            (RigidBody::Dynamic, Mass(1.0), Collider::circle(12.0)),
            Transform::from_xyz(-500.0, 30.0 * i as f32 - 135.0, 0.0),
            (disc.clone(), blue.clone()),
        ));
    }
    // Crates are not part of steering. The agents push them aside.
    for i in 0..35 {
        commands.spawn((
            (RigidBody::Dynamic, Mass(0.2), Collider::rectangle(24.0, 24.0)),
            (LinearDamping(1.0), AngularDamping(1.0)),
            Sprite::from_color(Color::srgb(0.7, 0.5, 0.3), Vec2::splat(24.0)),
            Transform::from_xyz(30.0 * (i / 7) as f32 - 60.0, 30.0 * (i % 7) as f32 - 90.0, 0.0),
        ));
    }
}
