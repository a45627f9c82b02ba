use bevy::prelude::*;
use bevy_steer::prelude::*;

const ZOMBIE: SteeringLayers = SteeringLayers::layer(1);

fn spawn(mut commands: Commands) {
    let player = commands.spawn(Vehicle::new(6.0).with_radius(0.4)).id();
    for i in 0..2000 {
        // A ring around the player, evenly filled.
        let place = Vec2::from_angle(2.4 * i as f32) * (8.0 + 0.6 * (i as f32).sqrt());
        commands.spawn((
            // Not all equally fast, or they would walk in step.
            Vehicle::new(3.0 + 0.2 * (i % 6) as f32).with_radius(0.4),
            ZOMBIE,
            // Stops where the bodies touch; `Seek` would run into the player.
            Arrive::new(player),
            // Zombies jostle: they look only half a second ahead, and keep hardly any distance.
            AvoidAgents::default().with_look_ahead(0.5).with_margin(0.05),
            AvoidObstacles::default(),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
}

/// The zombies that reach the player.
fn bites(
    player: Single<&Transform, (With<Vehicle>, Without<Arrive>)>,
    neighbors: Neighbors,
) -> usize {
    let query = NeighborQuery::at(player.translation).with_layers(ZOMBIE);
    neighbors.within(query, 1.2).count()
}

#[test]
fn a_horde_closes_in_without_piling_up() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    app.world_mut().spawn((Obstacle::sphere(4.0), Transform::from_xyz(15.0, 0.0, 0.0)));
    app.update();
    assert_eq!(app.world_mut().run_system_cached(bites).unwrap(), 0);
    (0..320).for_each(|_| app.update());
    let biting = app.world_mut().run_system_cached(bites).unwrap();
    assert!((3..=9).contains(&biting), "{biting} reach the player");
    let mut zombies = app.world_mut().query_filtered::<&Transform, With<Arrive>>();
    let places: Vec<Vec2> =
        zombies.iter(app.world()).map(|transform| transform.translation.truncate()).collect();
    assert_eq!(places.len(), 2000);
    let near = places.iter().filter(|place| place.length() < 30.0).count();
    assert!(near > 1500, "{near} have come");
    let mut deepest = f32::INFINITY;
    for (i, place) in places.iter().enumerate() {
        deepest =
            places[..i].iter().fold(deepest, |least, other| least.min(place.distance(*other)));
    }
    assert!(deepest > 0.4, "bodies of width 0.8 are {deepest} apart");
}
