use bevy::prelude::*;
use bevy_steer::prelude::*;

#[derive(Component, Clone, Copy, PartialEq)]
struct Squad(u32);

/// Orders a squad to move to a place.
#[derive(Event)]
struct Order {
    squad: Squad,
    place: Vec2,
}

fn march(order: On<Order>, mut members: Query<(&Squad, &Vehicle, &mut Arrive)>) {
    let squad = members.iter_mut().filter(|(squad, ..)| **squad == order.squad);
    for (i, (_, vehicle, mut arrive)) in squad.enumerate() {
        let slot = Vec2::new((i % 4) as f32, (i / 4) as f32) * (vehicle.radius * 4.0);
        arrive.target = (order.place + slot).into();
        arrive.set_enabled(true);
    }
}

fn spawn(mut commands: Commands) {
    for i in 0..8 {
        let place = Transform::from_xyz(i as f32 * 2.0, 0.0, 0.0);
        // Disabled until the first order.
        let arrive = Arrive::default().disabled();
        commands.spawn((Vehicle::new(5.0), Squad(1), arrive, AvoidAgents::default(), place));
    }
}

#[test]
fn a_squad_marches_to_places_of_its_own() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(SteeringPlugin::default()).add_systems(Startup, spawn);
    app.add_observer(march);
    (0..60).for_each(|_| app.update());
    app.world_mut().trigger(Order { squad: Squad(1), place: Vec2::new(0.0, 20.0) });
    (0..1000).for_each(|_| app.update());
    let mut members = app.world_mut().query::<&Arrive>();
    assert_eq!(members.iter(app.world()).filter(|arrive| arrive.has_arrived()).count(), 8);
}
