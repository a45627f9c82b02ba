use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_formations::{Formation, FormationFormed, FormationPlugin, MemberOf, Pattern};

/// The leader of a squad.
#[derive(Component)]
struct Captain;

/// A captain, and nine soldiers in a wedge behind it.
fn spawn(mut commands: Commands) {
    let body = Vehicle::new(5.0).with_radius(0.5);
    // Disabled until the first order.
    let captain = (Captain, body, Arrive::default().disabled(), AvoidObstacles::default());
    let captain = commands.spawn((captain, Formation::new(Pattern::Wedge))).id();
    for i in 0..9 {
        let avoid = (AvoidAgents::default(), AvoidObstacles::default());
        let place = Transform::from_xyz(-6.0, 2.0 * i as f32 - 8.0, 0.0);
        commands.spawn((body, MemberOf(captain), avoid, place));
    }
}

/// The player sends the squad somewhere, in another pattern.
#[derive(Event)]
struct March {
    to: Vec2,
    pattern: Pattern,
}

fn march(order: On<March>, mut captains: Query<(&mut Arrive, &mut Formation), With<Captain>>) {
    for (mut arrive, mut formation) in &mut captains {
        arrive.target = order.to.into();
        arrive.set_enabled(true);
        formation.pattern = order.pattern.clone();
    }
}

fn report(formed: On<FormationFormed>) {
    info!("{}: formed", formed.entity);
}

fn plugin(app: &mut App) {
    app.add_plugins((SteeringPlugin::default(), FormationPlugin))
        .add_systems(Startup, spawn)
        .add_observer(march)
        .add_observer(report);
}

#[test]
fn a_squad_marches_and_closes_up() {
    #[derive(Resource, Default)]
    struct Formed(usize);

    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin).init_resource::<Formed>();
    app.add_observer(|_: On<FormationFormed>, mut formed: ResMut<Formed>| formed.0 += 1);
    let rock = Transform::from_xyz(30.0, 6.0, 0.0);
    app.world_mut().spawn((Obstacle::sphere(5.0), rock));
    (0..64 * 8).for_each(|_| app.update());
    assert_eq!(app.world().resource::<Formed>().0, 1, "in a wedge");
    let to = Vec2::new(60.0, 12.0);
    app.world_mut().trigger(March { to, pattern: Pattern::Column });
    (0..64 * 40).for_each(|_| app.update());
    let world = app.world_mut();
    let mut captains = world.query_filtered::<(&Transform, &Formation), With<Captain>>();
    let (place, formation) = captains.single(world).expect("the captain");
    assert!(place.translation.truncate().distance(to) < 1.0, "{}", place.translation);
    assert!(formation.is_formed());
    // One of them is lost: the column closes up.
    let mut soldiers = world.query_filtered::<Entity, With<MemberOf>>();
    let lost = soldiers.iter(world).next().expect("a soldier");
    world.despawn(lost);
    (0..64 * 10).for_each(|_| app.update());
    let world = app.world_mut();
    let mut soldiers = world.query_filtered::<&Transform, With<MemberOf>>();
    let captain = captains.single(world).expect("the captain").0.translation;
    let mut behind: Vec<f32> =
        soldiers.iter(world).map(|soldier| soldier.translation.distance(captain)).collect();
    behind.sort_by(f32::total_cmp);
    for (i, distance) in behind.iter().enumerate() {
        assert!((distance - 2.0 * (i + 1) as f32).abs() < 0.3, "{behind:?}");
    }
}
