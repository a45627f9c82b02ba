use bevy::prelude::*;
use bevy_steer::prelude::*;

const FOOD: SteeringLayers = SteeringLayers::layer(1);
const SIZE: Vec3 = Vec3::new(16.0, 8.0, 10.0);

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Free))
        .add_systems(Startup, fill)
        .add_systems(FixedUpdate, eat.after(RunSteering));
}

fn fill(mut commands: Commands) {
    // Six panes, which the feelers of `AvoidWalls` detect: fish turn before they touch the glass.
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for side in [-0.5, 0.5] {
            let pane = Obstacle::cuboid(SIZE * (Vec3::ONE - axis) + axis);
            commands.spawn((pane, Transform::from_translation(axis * side * (SIZE + 1.0))));
        }
    }
    for i in 0..60 {
        // Multiples of the golden angle spread the fish evenly.
        let turn = Quat::from_rotation_y(2.4 * i as f32);
        let place = turn * Vec3::new(0.05 * i as f32 + 0.5, (i % 5) as f32 - 2.0, 0.0);
        commands.spawn((
            Vehicle::new(3.0).with_radius(0.2),
            (Flock::new(2.0), Wander::default(), AvoidWalls::default()),
            Seek::new(Target::nearest(FOOD, 5.0)),
            Transform::from_translation(place).with_rotation(turn),
        ));
    }
}

/// Food needs no `Vehicle`: whatever has layers and a `Transform` is found.
fn feed(mut commands: Commands) {
    commands.spawn((FOOD, Transform::from_xyz(4.0, 2.0, 0.0)));
}

fn eat(
    mut commands: Commands,
    food: Query<(Entity, &Transform, &SteeringLayers), Without<Vehicle>>,
    neighbors: Neighbors,
) {
    for (entity, transform, _) in food.iter().filter(|(.., layers)| layers.overlaps(FOOD)) {
        let near = neighbors.within(transform.translation, 0.5);
        if near.filter(|neighbor| neighbor.is_agent).count() > 0 {
            commands.entity(entity).despawn();
        }
    }
}

#[test]
fn fish_stay_in_the_tank_and_eat() {
    use bevy_steer::Velocity;

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    (0..1280).for_each(|i| {
        app.update();
        if i == 640 {
            app.world_mut().run_system_cached(feed).unwrap();
        }
        let mut fish = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
        for place in fish.iter(app.world()).map(|transform| transform.translation) {
            assert!((SIZE * 0.5 - place.abs()).min_element() > 0.19, "{place} is in the glass");
        }
    });
    let mut food = app.world_mut().query::<&SteeringLayers>();
    assert!(food.iter(app.world()).all(|layers| !layers.overlaps(FOOD)), "eaten");
    let mut speeds = app.world_mut().query_filtered::<&Velocity, With<Flock>>();
    let speeds: Vec<f32> = speeds.iter(app.world()).map(|velocity| velocity.length()).collect();
    assert!(speeds.len() == 60 && speeds.iter().sum::<f32>() > 60.0, "they swim: {speeds:?}");
}
