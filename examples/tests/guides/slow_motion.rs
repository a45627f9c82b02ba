use bevy::prelude::*;

/// Everything that reads `Res<Time>` runs at a quarter of its speed, steering among it.
fn begin_slow_motion(mut time: ResMut<Time<Virtual>>) {
    time.set_relative_speed(0.25);
}

fn end_slow_motion(mut time: ResMut<Time<Virtual>>) {
    time.set_relative_speed(1.0);
}

#[test]
fn slow_motion_is_the_same_motion_slower() {
    use bevy_steer::prelude::*;

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default());
    let agent = app.world_mut().spawn((Vehicle::new(5.0), Seek::new(Vec2::X * 1e4))).id();
    let x = |app: &App| app.world().get::<Transform>(agent).unwrap().translation.x;
    let way = |app: &mut App| {
        let before = x(app);
        (0..128).for_each(|_| app.update());
        x(app) - before
    };
    way(&mut app);
    let usual = way(&mut app);
    app.world_mut().run_system_cached(begin_slow_motion).unwrap();
    let slow = way(&mut app);
    app.world_mut().run_system_cached(end_slow_motion).unwrap();
    let again = way(&mut app);
    assert!((usual - 10.0).abs() < 0.1 && (slow - 2.5).abs() < 0.1, "{usual} {slow}");
    assert!((again - 10.0).abs() < 0.1, "{again}");
}
