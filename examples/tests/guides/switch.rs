use bevy::prelude::*;
use bevy_steer::prelude::*;

fn spawn(mut commands: Commands) {
    let chase = Seek::new(Vec2::X * 50.0).disabled();
    commands.spawn((Vehicle::new(5.0), Wander::default(), chase));
}

/// Wander until the alarm, then chase.
fn alarm(mut guards: Query<(&mut Wander, &mut Seek)>) {
    for (mut wander, mut seek) in &mut guards {
        wander.set_enabled(false);
        seek.set_enabled(true);
    }
}

#[test]
fn guards_wander_until_the_alarm() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    (0..60).for_each(|_| app.update());
    app.world_mut().run_system_cached(alarm).unwrap();
    (0..600).for_each(|_| app.update());
    let mut guards = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
    assert!(guards.single(app.world()).unwrap().translation.x > 20.0);
}
