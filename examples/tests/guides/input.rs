use bevy::prelude::*;
use bevy_steer::prelude::*;

fn steer_player(
    keys: Res<ButtonInput<KeyCode>>,
    mut players: Query<(&Vehicle, &mut SteeringWish)>,
) {
    let axis = |less, more| f32::from(keys.pressed(more)) - f32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    for (vehicle, mut wishes) in &mut players {
        let velocity = Vec3::new(x, y, 0.0).clamp_length_max(1.0) * vehicle.max_speed;
        wishes.push(Wish::velocity(velocity).straight());
    }
}

fn plugin(app: &mut App) {
    app.add_systems(SteeringSchedule, steer_player.in_set(SteeringSystems::Decide));
}

fn spawn(mut commands: Commands) {
    commands.spawn((Vehicle::new(5.0), SteeringWish::default(), AvoidWalls::default()));
}

#[test]
fn keys_steer_the_player() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins((SteeringPlugin::default(), plugin)).add_systems(Startup, spawn);
    app.init_resource::<ButtonInput<KeyCode>>();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ArrowUp);
    (0..120).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<(&bevy_steer::Velocity, &Transform)>();
    let (velocity, transform) = agents.single(app.world()).unwrap();
    assert!(velocity.y > 4.9 && transform.translation.y > 5.0 && transform.translation.x == 0.0);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().release(KeyCode::ArrowUp);
    (0..120).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<&bevy_steer::Velocity>();
    assert!(agents.single(app.world()).unwrap().length() < 0.01);
}
