use bevy::prelude::*;
use bevy_steer::prelude::*;

/// The height of the ground: a slope.
fn height(place: Vec2) -> f32 {
    (place.x * 0.4).clamp(0.0, 3.0)
}

fn stand_on_the_ground(mut agents: Query<&mut Transform, With<Vehicle>>) {
    for mut transform in &mut agents {
        let height = height(transform.translation.xz());
        // Do not mark an agent at rest as changed.
        if transform.translation.y != height {
            transform.translation.y = height;
        }
    }
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Xz))
        .add_systems(FixedUpdate, stand_on_the_ground.after(RunSteering));
}

#[test]
fn an_agent_walks_up_a_hill() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let agent = app.world_mut().spawn((Vehicle::new(5.0), Arrive::new(Vec3::X * 8.0))).id();
    (0..600).for_each(|_| app.update());
    let end = app.world().get::<Transform>(agent).unwrap().translation;
    assert!((end.x - 8.0).abs() < 0.2 && (end.y - height(end.xz())).abs() < 1e-5 && end.y > 2.9);
}
