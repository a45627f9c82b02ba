use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::prelude::*;

/// A unit that the player has selected.
#[derive(Component)]
struct Selected;

/// The places that a unit still has to go to, the present goal first.
#[derive(Component, Default)]
struct Orders(VecDeque<Vec2>);

/// The player has clicked a place of the world.
#[derive(Event)]
struct Click {
    place: Vec2,
    /// With Shift held down: after the orders that a unit already has.
    append: bool,
}

fn unit(place: Vec2) -> impl Bundle {
    (
        (Vehicle::new(60.0).with_radius(6.0), Orders::default()),
        // Disabled until the first order: a unit without one stands, and lets others pass.
        (Arrive::default().disabled(), AvoidAgents::default(), AvoidObstacles::default()),
        Transform::from_translation(place.extend(0.0)),
    )
}

/// Gives each selected unit its own slot in a block. Those in front get the first row, and each row
/// is filled from one side to the other, so that the units do not have to cross.
fn order(
    click: On<Click>,
    mut units: Query<(&Transform, &Vehicle, &mut Arrive, &mut Orders), With<Selected>>,
) {
    let places = units.iter().map(|(transform, ..)| transform.translation.truncate());
    let count = places.clone().count();
    let ahead = (click.place - places.sum::<Vec2>() / count as f32).normalize_or(Vec2::Y);
    let mut units: Vec<_> = units.iter_mut().collect();
    let along = |transform: &Transform, axis: Vec2| axis.dot(transform.translation.truncate());
    units.sort_by(|(a, ..), (b, ..)| along(b, ahead).total_cmp(&along(a, ahead)));
    let columns = (count as f32).sqrt().ceil().max(1.0) as usize;
    let middle = (columns - 1) as f32 / 2.0;
    for (row, units) in units.chunks_mut(columns).enumerate() {
        units.sort_by(|(a, ..), (b, ..)| along(a, ahead.perp()).total_cmp(&along(b, ahead.perp())));
        for (column, (_, vehicle, arrive, orders)) in units.iter_mut().enumerate() {
            let slot = ahead * (middle - row as f32) + ahead.perp() * (column as f32 - middle);
            if !click.append {
                orders.0.clear();
            }
            orders.0.push_back(click.place + slot * (vehicle.radius * 4.0));
            go(arrive, orders);
        }
    }
}

/// Sends a unit that has arrived to its next goal.
fn next_order(arrived: On<Arrived>, mut units: Query<(&mut Arrive, &mut Orders)>) {
    if let Ok((mut arrive, mut orders)) = units.get_mut(arrived.entity) {
        orders.0.pop_front();
        go(&mut arrive, &orders);
    }
}

/// Towards the first of its orders. Without one the unit brakes and stands.
fn go(arrive: &mut Arrive, orders: &Orders) {
    arrive.set_enabled(!orders.0.is_empty());
    if let Some(&place) = orders.0.front() {
        arrive.target = place.into();
    }
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default()).add_observer(order).add_observer(next_order);
}

#[test]
fn selected_units_go_where_they_are_sent_one_order_after_the_other() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let places = (0..13).map(|i| Vec2::new((i % 4) as f32, (i / 4) as f32) * 20.0);
    let units: Vec<Entity> = places.map(|place| app.world_mut().spawn(unit(place)).id()).collect();
    let (idle, selected) = units.split_last().unwrap();
    selected.iter().for_each(|unit| _ = app.world_mut().entity_mut(*unit).insert(Selected));
    app.world_mut().spawn((Obstacle::sphere(30.0), Transform::from_xyz(200.0, 30.0, 0.0)));
    app.update();
    let place = |app: &App, unit: Entity| {
        app.world().get::<Transform>(unit).unwrap().translation.truncate()
    };
    let first = Vec2::new(400.0, 30.0);
    app.world_mut().trigger(Click { place: first, append: false });
    app.world_mut().trigger(Click { place: Vec2::new(400.0, 330.0), append: true });
    let mut nearest = f32::INFINITY;
    for _ in 0..1600 {
        app.update();
        let places: Vec<Vec2> = selected.iter().map(|unit| place(&app, *unit)).collect();
        nearest = nearest.min((places.iter().sum::<Vec2>() / 12.0).distance(first));
    }
    assert!(nearest < 40.0, "by way of the first order: {nearest}");
    for (i, unit) in selected.iter().enumerate() {
        let unit_place = place(&app, *unit);
        assert!(unit_place.distance(Vec2::new(400.0, 330.0)) < 70.0, "{unit_place}");
        assert!(app.world().get::<Orders>(*unit).unwrap().0.is_empty());
        for other in &selected[..i] {
            let gap = unit_place.distance(place(&app, *other));
            assert!(gap > 20.0, "each has its own slot: {gap}");
        }
    }
    assert!(place(&app, *idle).distance(Vec2::new(0.0, 60.0)) < 24.0, "at most stepped aside");
}
