//! A thief sneaks into a house that guards patrol, on the ground of a 3D world.

use bevy::prelude::*;
use bevy_steer::prelude::*;

const THIEF: SteeringLayers = SteeringLayers::layer(1);
const GUARD: SteeringLayers = SteeringLayers::layer(2);

/// The player's stick: x and z, each -1 to 1.
#[derive(Resource, Default)]
struct Stick(Vec2);

#[derive(Component)]
struct Thief;

/// How often the thief was caught, and whether a guard is after it.
#[derive(Resource, Default)]
struct Alarm {
    caught: u32,
    chases: u32,
    given_up: u32,
}

fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default().with_plane(SteeringPlane::Xz))
        .init_resource::<Stick>()
        .init_resource::<Alarm>()
        .add_systems(Startup, build)
        .add_systems(SteeringSchedule, sneak.in_set(SteeringSystems::Decide))
        .add_systems(FixedUpdate, catch.after(RunSteering))
        .add_observer(chase)
        .add_observer(give_up);
}

fn ground(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn build(mut commands: Commands) {
    // A house of 40 by 24 metres. A wall with a door of 4 metres divides it.
    let corners = [ground(0.0, 0.0), ground(40.0, 0.0), ground(40.0, 24.0), ground(0.0, 24.0)];
    for (i, corner) in corners.into_iter().enumerate() {
        commands.spawn(Wall::new(corner, corners[(i + 1) % 4]));
    }
    commands.spawn(Wall::new(ground(20.0, 0.0), ground(20.0, 10.0)));
    commands.spawn(Wall::new(ground(20.0, 14.0), ground(20.0, 24.0)));
    // A table in each room.
    for x in [10.0, 30.0] {
        let size = Vec3::new(4.0, 1.0, 2.0);
        commands.spawn((Obstacle::cuboid(size), Transform::from_translation(ground(x, 12.0))));
    }
    let beats = [
        vec![ground(4.0, 4.0), ground(16.0, 4.0), ground(16.0, 20.0), ground(4.0, 20.0)],
        vec![ground(24.0, 4.0), ground(36.0, 4.0), ground(36.0, 20.0), ground(24.0, 20.0)],
        // Through the door, to and fro.
        vec![ground(14.0, 12.0), ground(26.0, 12.0)],
    ];
    for (i, beat) in beats.into_iter().enumerate() {
        let end = if i == 2 { PathEnd::PingPong } else { PathEnd::Loop };
        commands.spawn((
            (Vehicle::new(3.0).with_radius(0.4), GUARD),
            Transform::from_translation(beat[0]),
            PathFollow::new(beat).with_end(end),
            Pursue::new(Target::nearest(THIEF, 6.0)),
            (AvoidWalls::default(), AvoidObstacles::default(), AvoidAgents::default()),
        ));
    }
    commands.spawn((
        (Thief, THIEF, Vehicle::new(4.0).with_radius(0.4), SteeringWish::default()),
        (AvoidWalls::default(), AvoidObstacles::default()),
        Transform::from_translation(START),
    ));
}

const START: Vec3 = Vec3::new(2.0, 0.0, 22.0);

fn sneak(stick: Res<Stick>, mut thief: Single<(&Vehicle, &mut SteeringWish), With<Thief>>) {
    let speed = thief.0.max_speed;
    let velocity = ground(stick.0.x, stick.0.y).clamp_length_max(1.0) * speed;
    thief.1.push(Wish::velocity(velocity).straight());
}

fn chase(found: On<TargetFound>, mut guards: Query<&mut PathFollow>, mut alarm: ResMut<Alarm>) {
    if let Ok(mut beat) = guards.get_mut(found.entity) {
        beat.set_enabled(false);
        alarm.chases += 1;
    }
}

fn give_up(lost: On<TargetLost>, mut guards: Query<&mut PathFollow>, mut alarm: ResMut<Alarm>) {
    if let Ok(mut beat) = guards.get_mut(lost.entity) {
        beat.set_enabled(true);
        alarm.given_up += 1;
    }
}

fn catch(
    mut thief: Single<&mut Transform, With<Thief>>,
    guards: Query<&Transform, (With<Pursue>, Without<Thief>)>,
    mut alarm: ResMut<Alarm>,
) {
    if guards.iter().any(|guard| guard.translation.distance(thief.translation) < 1.0) {
        thief.translation = START;
        alarm.caught += 1;
    }
}

fn run(app: &mut App, seconds: usize, stick: Vec2) {
    app.world_mut().resource_mut::<Stick>().0 = stick;
    for _ in 0..seconds * 64 {
        app.update();
        let mut bodies = app.world_mut().query_filtered::<&Transform, With<Vehicle>>();
        for place in bodies.iter(app.world()).map(|transform| transform.translation) {
            assert!(place.y == 0.0 && place.x > 0.3 && place.x < 39.7, "{place}");
            assert!(place.z > 0.3 && place.z < 23.7, "{place}");
            let (x, z) = (place.x - 20.0, place.z - 12.0);
            assert!(x.abs() > 0.3 || z.abs() < 2.0, "{place} is in the inner wall");
            let table = Vec2::new(x.abs() - 10.0, z).abs() - Vec2::new(2.0, 1.0);
            assert!(table.max_element() > 0.3, "{place} is in a table");
        }
    }
}

#[test]
fn guards_of_a_house_chase_a_thief() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(game);
    app.update();
    let thief = |app: &mut App| {
        let mut thief = app.world_mut().query_filtered::<&Transform, With<Thief>>();
        thief.single(app.world()).unwrap().translation
    };
    // It walks against a wall, stops there, and is not pushed along it.
    run(&mut app, 1, Vec2::NEG_X);
    let place = thief(&mut app);
    assert!(place.x < 0.6 && (place.z - START.z).abs() < 0.2, "{place}");
    // It stands where a guard comes by, and is caught.
    run(&mut app, 40, Vec2::ZERO);
    let Alarm { caught, chases, .. } = *app.world().resource::<Alarm>();
    assert!(caught >= 1 && chases >= 1, "caught {caught}, chased {chases}");
    assert!(thief(&mut app).distance(START) < 2.0 || caught > 0);
    // It gets away, and whoever chases it gives up.
    let mut all = app.world_mut().query_filtered::<&mut Transform, With<Thief>>();
    all.single_mut(app.world_mut()).unwrap().translation = Vec3::new(36.0, 0.0, 22.0);
    run(&mut app, 2, Vec2::ZERO);
    let Alarm { chases, given_up, .. } = *app.world().resource::<Alarm>();
    assert!(given_up >= 1, "gave up {given_up} of {chases}");
    let mut beats = app.world_mut().query::<&PathFollow>();
    let chasing = beats.iter(app.world()).filter(|beat| !beat.is_enabled()).count();
    assert_eq!(chasing as u32, chases - given_up, "all others are on their beats again");
}
