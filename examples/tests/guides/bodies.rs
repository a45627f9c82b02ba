use avian2d::prelude::*;
use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_avian::{IgnoredCollider, dim2::AvianSteeringPlugin};

fn plugin(app: &mut App) {
    app.add_plugins((
        SteeringPlugin::default(),
        PhysicsPlugins::default(),
        AvianSteeringPlugin::default(),
    ))
    // A world seen from above.
    .insert_resource(Gravity(Vec2::ZERO))
    .add_systems(Startup, spawn);
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        (Vehicle::new(5.0), Arrive::new(Vec2::X * 20.0), AvoidObstacles::default()),
        (RigidBody::Dynamic, Collider::circle(0.5)),
    ));
    // The agent goes round the wall, and pushes the crate away.
    let wall = (RigidBody::Static, Collider::rectangle(1.0, 6.0));
    commands.spawn((wall, Transform::from_xyz(6.0, 1.0, 0.0)));
    let loose = (RigidBody::Dynamic, Collider::rectangle(1.0, 3.0), IgnoredCollider);
    commands.spawn((loose, Transform::from_xyz(16.0, 0.0, 0.0)));
}

#[test]
fn the_agent_goes_round_the_wall_and_pushes_the_crate() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin))
        .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    let place = |app: &mut App, is_agent: bool| {
        let mut bodies = app.world_mut().query::<(&Transform, &RigidBody, Has<Vehicle>)>();
        let mut places = bodies
            .iter(app.world())
            .filter(|(_, body, agent)| body.is_dynamic() && *agent == is_agent);
        places.next().map(|(place, ..)| place.translation)
    };
    let mut widest = 0.0f32;
    for _ in 0..64 * 10 {
        app.update();
        if let Some(agent) = place(&mut app, true) {
            widest = widest.max(agent.y.abs());
        }
    }
    assert!(widest > 1.5, "{widest}");
    assert!(place(&mut app, true).unwrap().distance(Vec3::X * 20.0) < 0.6);
    assert!(place(&mut app, false).unwrap().distance(Vec3::X * 16.0) > 0.5);
}
