//! The panel beside a small scene: hunters that pursue, a flock that flees, a guard that stands
//! still.
//!
//! Click an agent to select it. F1 closes and opens the panel.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::SteeringInspectorPlugin;

const PREY: SteeringLayers = SteeringLayers::layer(0);
const HUNTERS: SteeringLayers = SteeringLayers::layer(1);

fn main() {
    App::new()
        .add_plugins(DefaultPlugins)
        .insert_resource(ClearColor(Color::srgb(0.055, 0.067, 0.086)))
        .add_plugins((SteeringPlugin::default(), SteeringInspectorPlugin::default()))
        .insert_resource(WorldBounds(Bounds::rect(
            Vec2::new(-460.0, -350.0),
            Vec2::new(460.0, 350.0),
            BoundsEdge::Wrap,
        )))
        .add_systems(Startup, spawn)
        .run();
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    for place in [Vec2::new(-160.0, 90.0), Vec2::new(150.0, -120.0), Vec2::new(190.0, 170.0)] {
        commands.spawn((
            Obstacle::sphere(45.0),
            Sprite::from_color(Color::srgb(0.30, 0.34, 0.40), Vec2::splat(64.0)),
            Transform::from_translation(place.extend(-1.0)),
        ));
    }
    for i in 0..40 {
        commands.spawn((
            Name::new(format!("Prey {i}")),
            body(90.0, Vec2::from_angle(i as f32) * (60.0 + 5.0 * i as f32), PREY),
            Flock { radius: 70.0, separation_radius: 28.0, ..default() },
            Flee {
                target: Target::nearest(HUNTERS, 110.0),
                panic_distance: Some(110.0),
                ..default()
            },
            AvoidObstacles::default(),
            Wander::default().with_weight(0.5),
        ));
    }
    for i in 0..3 {
        commands.spawn((
            Name::new(format!("Hunter {i}")),
            body(105.0, Vec2::new(-400.0, 250.0 - 200.0 * i as f32), HUNTERS),
            Pursue::new(Target::nearest(PREY, 400.0)),
            AvoidObstacles::default(),
            AvoidAgents { layers: HUNTERS, ..default() },
            Wander::default(),
        ));
    }
    commands.spawn((
        Name::new("Guard"),
        body(60.0, Vec2::new(0.0, -260.0), HUNTERS),
        Arrive::new(Vec2::new(0.0, -200.0)),
        Face::new(Target::nearest(PREY, 300.0)),
    ));
}

/// A body and its sprite.
fn body(speed: f32, position: Vec2, layers: SteeringLayers) -> impl Bundle {
    let color = match layers {
        PREY => Color::srgb(0.337, 0.706, 0.914),
        _ => Color::srgb(0.902, 0.624, 0.0),
    };
    (
        Vehicle::new(speed).with_radius(8.0),
        layers,
        Sprite::from_color(color, Vec2::new(18.0, 9.0)),
        Transform::from_translation(position.extend(0.0)),
    )
}
