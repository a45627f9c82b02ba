use bevy::prelude::*;
use bevy_steer::prelude::*;

#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Screen {
    #[default]
    Playing,
    Menu,
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .init_state::<Screen>()
        .configure_sets(FixedUpdate, RunSteering.run_if(in_state(Screen::Playing)));
}

#[test]
fn agents_stand_still_in_the_menu() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins((bevy::state::app::StatesPlugin, plugin));
    let agent = app.world_mut().spawn((Vehicle::new(5.0), Seek::new(Vec2::X * 1e4))).id();
    let way = |app: &mut App, screen: Screen| {
        app.world_mut().resource_mut::<NextState<Screen>>().set(screen);
        app.update();
        let before = app.world().get::<Transform>(agent).unwrap().translation.x;
        (0..64).for_each(|_| app.update());
        app.world().get::<Transform>(agent).unwrap().translation.x - before
    };
    assert!(way(&mut app, Screen::Playing) > 4.0);
    assert_eq!(way(&mut app, Screen::Menu), 0.0);
    assert!(way(&mut app, Screen::Playing) > 4.9, "it goes on at the speed that it had");
}
