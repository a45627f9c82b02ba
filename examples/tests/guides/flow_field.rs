use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{FlowFollow, GridFlow, NavigationPlugin, ObstacleGrid};

const GATE: Vec2 = Vec2::new(25.0, -15.0);

/// A town whose gate 200 attackers run to.
fn spawn(mut commands: Commands) {
    // The map, and the field of directions to the gate on it.
    let map = ObstacleGrid::new(Vec2::splat(-30.0), Vec2::splat(30.0), 0.5);
    commands.spawn((map, GridFlow::new(GATE)));
    for x in [-15.0, 0.0, 15.0] {
        commands.spawn((Obstacle::rect(Vec2::new(8.0, 36.0)), Transform::from_xyz(x, 0.0, 0.0)));
    }
    for i in 0..200 {
        let place = Vec3::new(-29.0 + 1.3 * (i % 7) as f32, -20.0 + 1.3 * (i / 7) as f32, 0.0);
        commands.spawn((
            Vehicle::new(5.0),
            FlowFollow::default(),
            // Avoidance is added like for any other agent.
            (AvoidWalls::default(), AvoidAgents::default()),
            Transform::from_translation(place),
        ));
    }
}

/// Whoever is at the gate is through.
fn pass(attackers: Query<(Entity, &Transform), With<FlowFollow>>, mut commands: Commands) {
    for (attacker, place) in &attackers {
        if place.translation.truncate().distance(GATE) < 2.0 {
            commands.entity(attacker).despawn();
        }
    }
}

fn plugin(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), NavigationPlugin::default()))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, pass.after(RunSteering));
}

#[test]
fn all_attackers_come_through_the_gate_and_through_no_house() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    for _ in 0..64 * 60 {
        app.update();
        let world = app.world_mut();
        let mut attackers = world.query_filtered::<&Transform, With<FlowFollow>>();
        let mut left = 0;
        for place in attackers.iter(world) {
            let place = place.translation;
            // The radius of an attacker is 0.5.
            let is_inside = |x: f32| (place.x - x).abs() < 4.49 && place.y.abs() < 18.0;
            assert!(![-15.0, 0.0, 15.0].into_iter().any(is_inside), "{place}");
            left += 1;
        }
        if left == 0 {
            return;
        }
    }
    let world = app.world_mut();
    let mut attackers = world.query_filtered::<&Transform, With<FlowFollow>>();
    let places = attackers.iter(world).map(|place| place.translation.truncate());
    panic!("still on their way: {:?}", places.collect::<Vec<_>>());
}
