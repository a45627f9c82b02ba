use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{
    NavigateTo, NavigationFailed, NavigationFinished, NavigationPlugin, ObstacleGrid,
};

const DOORS: [Vec2; 3] = [Vec2::new(-25.0, -15.0), Vec2::new(25.0, 15.0), Vec2::new(-5.0, 20.0)];

/// The index of the door that a courier goes to.
#[derive(Component)]
struct Errand(usize);

/// A town with a courier in it.
fn spawn(mut commands: Commands) {
    // The map, which is built from obstacles and walls, and again when they change. A cell is about
    // as large as the radius of an agent.
    commands.spawn(ObstacleGrid::new(Vec2::splat(-30.0), Vec2::splat(30.0), 0.5));
    for x in [-15.0, 0.0, 15.0] {
        commands.spawn((Obstacle::rect(Vec2::new(8.0, 36.0)), Transform::from_xyz(x, 0.0, 0.0)));
    }
    commands.spawn((
        Vehicle::new(5.0),
        (NavigateTo::new(DOORS[0]), Errand(0)),
        AvoidAgents::default(),
        Transform::from_xyz(7.5, 0.0, 0.0),
    ));
}

/// The next errand.
fn deliver(done: On<NavigationFinished>, mut couriers: Query<(&mut NavigateTo, &mut Errand)>) {
    if let Ok((mut navigate, mut errand)) = couriers.get_mut(done.entity) {
        errand.0 = (errand.0 + 1) % DOORS.len();
        navigate.target = DOORS[errand.0].into();
    }
}

fn complain(failed: On<NavigationFailed>) {
    warn!("{}: there is no way: {:?}", failed.entity, failed.reason);
}

fn plugin(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), NavigationPlugin::default()))
        .add_systems(Startup, spawn)
        .add_observer(deliver)
        .add_observer(complain);
}

#[test]
fn a_courier_goes_from_door_to_door_and_through_no_house() {
    #[derive(Resource, Default)]
    struct Delivered(usize);

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin).init_resource::<Delivered>();
    app.add_observer(|_: On<NavigationFinished>, mut all: ResMut<Delivered>| all.0 += 1);
    app.add_observer(|failed: On<NavigationFailed>| panic!("{:?}", failed.reason));
    for _ in 0..64 * 60 {
        app.update();
        let world = app.world_mut();
        let mut couriers = world.query_filtered::<&Transform, With<Errand>>();
        let place = couriers.single(world).expect("the courier").translation;
        // The radius of the courier is 0.5.
        let is_inside = |x: f32| (place.x - x).abs() < 4.49 && place.y.abs() < 18.0;
        assert!(![-15.0, 0.0, 15.0].into_iter().any(is_inside), "{place}");
    }
    assert!(app.world().resource::<Delivered>().0 >= 3);
}
