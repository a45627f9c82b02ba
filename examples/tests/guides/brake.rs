use bevy::prelude::*;
use bevy_steer::prelude::*;

fn halt(mut seekers: Query<&mut Seek>) {
    seekers.iter_mut().for_each(|mut seek| seek.set_enabled(false));
}

#[test]
fn an_idle_agent_brakes_rolls_or_flies_on() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default());
    let chase = (Vehicle::new(5.0), Seek::new(Vec2::X * 1e3));
    let agents = [WhenIdle::Brake, WhenIdle::Drag(1.0), WhenIdle::Coast]
        .map(|idle| app.world_mut().spawn((chase, idle)).id());
    let speeds = |app: &App| {
        agents.map(|agent| app.world().get::<bevy_steer::Velocity>(agent).unwrap().length())
    };
    (0..120).for_each(|_| app.update());
    assert!(speeds(&app).iter().all(|speed| *speed > 4.9));
    app.world_mut().run_system_cached(halt).unwrap();
    (0..64).for_each(|_| app.update());
    let [brake, drag, coast] = speeds(&app);
    assert!(brake < 0.01 && drag > 1.0 && drag < 3.0 && coast > 4.9, "{brake} {drag} {coast}");
}
