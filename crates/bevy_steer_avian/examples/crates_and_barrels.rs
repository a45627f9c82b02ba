//! Two crowds of dynamic bodies cross a yard: they go round walls and each other, and push crates
//! and barrels out of their way.
//!
//! `cargo run -p bevy_steer_avian --example crates_and_barrels`

use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_avian::{IgnoredCollider, dim2::AvianSteeringPlugin};
use bevy_steer_examples::{
    camera::{WindowCamera, fit},
    window::run_in_window,
};

fn main() -> AppExit {
    run_in_window("bevy_steer: crates and barrels", game, |_| {})
}

/// The game without its window, so that a test can run it.
pub(crate) fn game(app: &mut App) {
    app.add_plugins((
        SteeringPlugin::default(),
        PhysicsPlugins::default().with_length_unit(20.0),
        AvianSteeringPlugin::default(),
    ))
    // Seen from above.
    .insert_resource(Gravity(Vec2::ZERO))
    .insert_resource(ClearColor(Color::srgb(0.16, 0.17, 0.19)))
    .add_systems(Startup, (spawn_yard, spawn_crowds));
}

/// What agents push slides to a stop. They do not avoid it: it is no obstacle for them.
fn loose(mass: f32) -> impl Bundle {
    let drag = (LinearDamping(1.5), AngularDamping(1.5));
    (RigidBody::Dynamic, Mass(mass), drag, TransformInterpolation, IgnoredCollider)
}

fn spawn_yard(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn((Camera2d, fit(vec2(1280.0, 720.0)), WindowCamera::flat()));
    commands.spawn((
        Text::new("Both crowds push crates and barrels away, and go round walls and each other"),
        Node { left: px(12), top: px(8), ..default() },
    ));
    // Static colliders are obstacles.
    let gray = Color::srgb(0.45, 0.46, 0.5);
    let walls = [
        (Vec2::new(0.0, 310.0), Vec2::new(1160.0, 20.0)),
        (Vec2::new(0.0, -314.0), Vec2::new(1160.0, 20.0)),
        (Vec2::new(-250.0, 150.0), Vec2::new(36.0, 110.0)),
        (Vec2::new(-250.0, -150.0), Vec2::new(36.0, 110.0)),
        (Vec2::new(250.0, 150.0), Vec2::new(36.0, 110.0)),
        (Vec2::new(250.0, -150.0), Vec2::new(36.0, 110.0)),
    ];
    for (place, size) in walls {
        commands.spawn((
            (RigidBody::Static, Collider::rectangle(size.x, size.y)),
            Sprite::from_color(gray, size),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
    let barrel = Mesh2d(meshes.add(Circle::new(13.0)));
    let barrel_rim = Mesh2d(meshes.add(Annulus::new(9.5, 13.0)));
    let [red, dark] = [Color::srgb(0.75, 0.3, 0.22), Color::srgb(0.5, 0.18, 0.14)]
        .map(|color| MeshMaterial2d(materials.add(color)));
    for i in 0..48 {
        let (column, row) = (i % 6, i / 6);
        let place = Vec2::new(40.0 * column as f32 - 100.0, 62.0 * row as f32 - 217.0);
        let place = Transform::from_translation(place.extend(0.0));
        if i % 3 == 0 {
            commands
                .spawn((loose(0.12), Collider::circle(13.0), barrel.clone(), red.clone(), place))
                .with_child((barrel_rim.clone(), dark.clone(), Transform::from_xyz(0.0, 0.0, 0.1)));
        } else {
            let wood = Sprite::from_color(Color::srgb(0.68, 0.5, 0.3), Vec2::splat(24.0));
            let lid = Sprite::from_color(Color::srgb(0.56, 0.4, 0.23), Vec2::splat(17.0));
            commands
                .spawn((loose(0.08), Collider::rectangle(24.0, 24.0), wood, place))
                .with_child((lid, Transform::from_xyz(0.0, 0.0, 0.1)));
        }
    }
}

fn spawn_crowds(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let disc = Mesh2d(meshes.add(Circle::new(10.0)));
    let nose = Mesh2d(meshes.add(Circle::new(3.5)));
    let white = MeshMaterial2d(materials.add(Color::WHITE));
    let crowds = [(-1.0, Color::srgb(0.35, 0.7, 0.9)), (1.0, Color::srgb(0.95, 0.75, 0.25))];
    for (side, color) in crowds {
        let color = MeshMaterial2d(materials.add(color));
        for i in 0..30 {
            let lane = 64.0 * (i % 6) as f32 - 160.0;
            let start = Vec2::new(side * (430.0 + 34.0 * (i / 6) as f32), lane);
            // There and back again.
            let path = PathFollow::new([start, Vec2::new(-start.x, lane)])
                .with_end(PathEnd::PingPong)
                .by_waypoints(40.0);
            let behaviors = (path, AvoidAgents::default(), AvoidObstacles::default());
            // The mass of the body is the mass of the vehicle; its radius is that of the collider.
            let body = (RigidBody::Dynamic, Mass(1.0), Collider::circle(10.0));
            let place = Transform::from_translation(start.extend(0.0));
            commands
                .spawn((Vehicle::new(110.0), behaviors, body, place, TransformInterpolation))
                .insert((disc.clone(), color.clone()))
                .with_child((nose.clone(), white.clone(), Transform::from_xyz(6.0, 0.0, 0.1)));
        }
    }
}
