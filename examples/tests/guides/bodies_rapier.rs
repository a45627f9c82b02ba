use bevy::prelude::*;
use bevy_rapier2d::prelude::{
    Collider, NoUserData, RapierConfiguration, RapierPhysicsPlugin, RigidBody, TimestepMode,
};
use bevy_steer::prelude::*;
use bevy_steer_rapier::dim2::RapierSteeringPlugin;

fn plugin(app: &mut App) {
    app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 })
        .add_plugins((
            SteeringPlugin::default(),
            RapierPhysicsPlugin::<NoUserData>::default().in_fixed_schedule(),
            RapierSteeringPlugin::default(),
        ))
        .add_systems(Startup, (see_from_above, spawn));
}

fn see_from_above(mut world: Single<&mut RapierConfiguration>) {
    world.gravity = Vec2::ZERO;
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        (Vehicle::new(5.0), Arrive::new(Vec2::X * 20.0), AvoidObstacles::default()),
        (RigidBody::Dynamic, Collider::ball(0.5)),
    ));
    // The agent goes round the wall.
    let wall = (RigidBody::Fixed, Collider::cuboid(0.5, 3.0));
    commands.spawn((wall, Transform::from_xyz(6.0, 1.0, 0.0)));
}

#[test]
fn the_agent_goes_round_the_wall() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    let mut widest = 0.0f32;
    let mut place = Vec3::ZERO;
    for _ in 0..64 * 10 {
        app.update();
        let mut agents = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
        if let Ok(agent) = agents.single(app.world()) {
            place = agent.translation;
            widest = widest.max(place.y.abs());
        }
    }
    assert!(widest > 1.5, "{widest}");
    assert!(place.distance(Vec3::X * 20.0) < 0.6, "{place}");
}
