//! Forty soldiers that take orders: move, stop, attack.

use bevy::prelude::*;
use bevy_steer::prelude::*;

const SOLDIER: SteeringLayers = SteeringLayers::layer(1);
const ENEMY: SteeringLayers = SteeringLayers::layer(2);

#[derive(Component)]
struct Soldier;

#[derive(Component)]
struct Health(f32);

/// An order to all soldiers.
#[derive(Event, Clone, Copy)]
enum Order {
    March(Vec2),
    Attack(Entity),
    Halt,
}

fn game(app: &mut App) {
    app.add_plugins(SteeringPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, fight.after(RunSteering))
        .add_observer(obey)
        .add_observer(stand);
}

fn spawn(mut commands: Commands) {
    for i in 0..40 {
        let place = Vec2::new((i % 8) as f32, (i / 8) as f32) * 2.0;
        commands.spawn((
            (Soldier, SOLDIER, Vehicle::new(5.0).with_radius(0.4)),
            // Both disabled until there is an order.
            (Arrive::default().disabled(), Pursue::default().disabled()),
            (AvoidAgents::default(), AvoidObstacles::default()),
            Transform::from_translation(place.extend(0.0)),
        ));
    }
    for (x, y) in [(25.0, 0.0), (28.0, 6.0), (24.0, 12.0)] {
        commands.spawn((Obstacle::sphere(1.5), Transform::from_xyz(x, y, 0.0)));
    }
}

fn obey(
    order: On<Order>,
    mut soldiers: Query<(&Transform, &Vehicle, &mut Arrive, &mut Pursue), With<Soldier>>,
) {
    let mut soldiers: Vec<_> = soldiers.iter_mut().collect();
    // From left to right and from the bottom to the top, like the slots.
    soldiers.sort_by(|(a, ..), (b, ..)| a.translation.y.total_cmp(&b.translation.y));
    for (row, rank) in soldiers.chunks_mut(8).enumerate() {
        rank.sort_by(|(a, ..), (b, ..)| a.translation.x.total_cmp(&b.translation.x));
        for (column, (_, vehicle, arrive, pursue)) in rank.iter_mut().enumerate() {
            arrive.set_enabled(matches!(*order, Order::March(_)));
            pursue.set_enabled(matches!(*order, Order::Attack(_)));
            match *order {
                Order::March(place) => {
                    let slot = Vec2::new(column as f32, row as f32) * (4.0 * vehicle.radius);
                    arrive.target = (place + slot).into();
                }
                Order::Attack(enemy) => pursue.target = enemy.into(),
                Order::Halt => {}
            }
        }
    }
}

/// A soldier whose enemy is dead looks for nothing more to do.
fn stand(lost: On<TargetLost>, mut soldiers: Query<&mut Pursue>) {
    if let Ok(mut pursue) = soldiers.get_mut(lost.entity) {
        pursue.set_enabled(false);
    }
}

/// An enemy loses a point of health for each soldier beside it in each second.
fn fight(
    mut commands: Commands,
    mut enemies: Query<(Entity, &Transform, &mut Health)>,
    neighbors: Neighbors,
    time: Res<Time>,
) {
    for (entity, transform, mut health) in &mut enemies {
        let near = neighbors.within(transform.translation, 1.5);
        let soldiers = near.filter(|neighbor| neighbor.layers.overlaps(SOLDIER)).count();
        health.0 -= soldiers as f32 * time.delta_secs();
        if health.0 < 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

fn places(app: &mut App) -> Vec<Vec2> {
    let mut soldiers = app.world_mut().query_filtered::<&Transform, With<Soldier>>();
    soldiers.iter(app.world()).map(|transform| transform.translation.truncate()).collect()
}

/// Runs, and returns how close two soldiers have come.
fn run(app: &mut App, seconds: usize) -> f32 {
    let mut least = f32::INFINITY;
    for _ in 0..seconds * 64 {
        app.update();
        let places = places(app);
        for (i, place) in places.iter().enumerate() {
            least =
                places[..i].iter().fold(least, |least, other| least.min(place.distance(*other)));
        }
    }
    least
}

#[test]
fn forty_soldiers_march_halt_and_attack() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(game);
    app.update();
    app.world_mut().trigger(Order::March(Vec2::new(40.0, 0.0)));
    let apart = run(&mut app, 20);
    assert!(apart > 0.75, "bodies of width 0.8 are {apart} apart");
    let mut in_slots = 0;
    for slot in
        (0..40).map(|i| Vec2::new(40.0, 0.0) + 1.6 * Vec2::new((i % 8) as f32, (i / 8) as f32))
    {
        in_slots += places(&mut app).iter().filter(|place| place.distance(slot) < 0.3).count();
    }
    assert_eq!(in_slots, 40);
    // Stopped on the way.
    app.world_mut().trigger(Order::March(Vec2::new(0.0, 40.0)));
    run(&mut app, 3);
    app.world_mut().trigger(Order::Halt);
    run(&mut app, 1);
    let before = places(&mut app);
    run(&mut app, 1);
    for (before, now) in before.iter().zip(places(&mut app)) {
        assert!(before.distance(now) < 0.3, "from {before} to {now}");
        assert!(now.distance(Vec2::new(40.0, 0.0)) > 4.0 && now.y < 36.0, "{now}");
    }
    // An enemy that stands is killed, and the soldiers stand.
    let place = Transform::from_xyz(0.0, -20.0, 0.0);
    let enemy = (ENEMY, Vehicle::new(2.0).with_radius(0.4), Health(30.0), place);
    let enemy = app.world_mut().spawn(enemy).id();
    app.world_mut().trigger(Order::Attack(enemy));
    run(&mut app, 30);
    assert!(app.world().get_entity(enemy).is_err(), "killed");
    let mut pursuits = app.world_mut().query::<&Pursue>();
    assert!(pursuits.iter(app.world()).all(|pursue| !pursue.is_enabled()));
    let before = places(&mut app);
    run(&mut app, 1);
    assert!(before.iter().zip(places(&mut app)).all(|(before, now)| before.distance(now) < 0.5));
}
