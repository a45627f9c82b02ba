use bevy::prelude::*;
use bevy_steer::prelude::*;

fn spawn(mut commands: Commands) {
    let agent = (Vehicle::new(5.0), Arrive::new(Vec2::new(8.0, 3.0)));
    commands.spawn(agent).observe(go_home);
}

fn go_home(arrived: On<Arrived>, mut agents: Query<&mut Arrive>) {
    if let Ok(mut arrive) = agents.get_mut(arrived.entity) {
        arrive.target = Vec2::ZERO.into();
    }
}

#[test]
fn an_agent_arrives_and_comes_back() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    (0..1200).for_each(|_| app.update());
    let mut agents = app.world_mut().query::<(&Arrive, &Transform)>();
    let (arrive, transform) = agents.single(app.world()).unwrap();
    assert!(arrive.target == Vec2::ZERO.into() && transform.translation.length() < 0.2);
}
