use bevy::prelude::*;
use bevy_steer::prelude::*;

const INTRUDER: SteeringLayers = SteeringLayers::layer(1);

/// A guard that walks along these points, round and round, and chases intruders that it sees.
fn guard(beat: [Vec2; 4]) -> impl Bundle {
    (
        Vehicle::new(5.0),
        PathFollow::new(beat).with_end(PathEnd::Loop),
        // Requests nothing while no intruder is in range.
        Pursue::new(Target::nearest(INTRUDER, 10.0)),
        (AvoidObstacles::default(), AvoidAgents::default()),
        Transform::from_translation(beat[0].extend(0.0)),
    )
}

fn chase(found: On<TargetFound>, mut guards: Query<&mut PathFollow>) {
    if let Ok(mut patrol) = guards.get_mut(found.entity) {
        patrol.set_enabled(false);
    }
}

fn give_up(lost: On<TargetLost>, mut guards: Query<&mut PathFollow>) {
    if let Ok(mut patrol) = guards.get_mut(lost.entity) {
        patrol.set_enabled(true);
    }
}

/// A guard that touches an intruder catches it.
fn catch(
    mut commands: Commands,
    guards: Query<(&Transform, &Vehicle), With<Pursue>>,
    intruders: Query<(Entity, &Transform, &Vehicle, &SteeringLayers)>,
) {
    for (entity, place, intruder, _) in intruders.iter().filter(|(.., own)| own.overlaps(INTRUDER))
    {
        let touches = |(guard_place, guard): (&Transform, &Vehicle)| {
            let reach = 1.1 * (guard.radius + intruder.radius);
            guard_place.translation.distance(place.translation) < reach
        };
        if guards.iter().any(touches) {
            commands.entity(entity).despawn();
        }
    }
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_observer(chase)
        .add_observer(give_up)
        .add_systems(FixedUpdate, catch.after(RunSteering));
}

#[test]
fn guards_patrol_chase_and_go_back() {
    #[derive(Resource, Default)]
    struct Passed(Vec<usize>);

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin).init_resource::<Passed>();
    app.add_observer(|passed: On<WaypointReached>, mut all: ResMut<Passed>| {
        all.0.push(passed.index);
    });
    let beat = [Vec2::ZERO, Vec2::X * 20.0, Vec2::new(20.0, 12.0), Vec2::Y * 12.0];
    let guard = app.world_mut().spawn(guard(beat)).id();
    let passed = |app: &mut App| core::mem::take(&mut app.world_mut().resource_mut::<Passed>().0);
    (0..1000).for_each(|_| app.update());
    let round = passed(&mut app);
    assert!(round.len() >= 4 && round.contains(&0), "{round:?}");
    // One that is as fast gets away, and the guard goes back to its beat.
    let at_guard = app.world().get::<Transform>(guard).unwrap().translation;
    let away = (Vehicle::new(7.0), Flee::new(guard), INTRUDER);
    let thief = app
        .world_mut()
        .spawn((away, Transform::from_translation(at_guard + Vec3::new(-6.0, -6.0, 0.0))))
        .id();
    (0..64).for_each(|_| app.update());
    assert!(!app.world().get::<PathFollow>(guard).unwrap().is_enabled(), "it chases");
    (0..640).for_each(|_| app.update());
    assert!(app.world().get::<PathFollow>(guard).unwrap().is_enabled(), "the thief got away");
    passed(&mut app);
    (0..1000).for_each(|_| app.update());
    assert!(passed(&mut app).len() >= 4, "and the guard walks its beat");
    assert!(app.world().get_entity(thief).is_ok());
    // One that is slower is caught.
    let at_guard = app.world().get::<Transform>(guard).unwrap().translation;
    let slow = (Vehicle::new(3.0), Flee::new(guard), INTRUDER);
    let slow = app.world_mut().spawn((slow, Transform::from_translation(at_guard + Vec3::X * 6.0)));
    let slow = slow.id();
    (0..640).for_each(|_| app.update());
    assert!(app.world().get_entity(slow).is_err(), "caught");
    assert!(app.world().get::<PathFollow>(guard).unwrap().is_enabled());
}
