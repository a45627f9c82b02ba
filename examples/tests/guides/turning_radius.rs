use bevy_steer::prelude::*;

/// A vehicle that drives a circle of this radius at its top speed.
fn with_turning_radius(vehicle: Vehicle, radius: f32) -> Vehicle {
    vehicle.with_max_force(vehicle.mass * vehicle.max_speed * vehicle.max_speed / radius)
}

#[test]
fn it_drives_a_circle_of_that_radius() {
    use bevy::prelude::*;
    use bevy_steer::Velocity;

    let mut app = bevy_steer_examples::clock::headless_app(None);
    // All of its force to the left of its velocity.
    let turn_left = |mut agents: Query<(&Velocity, &mut SteeringWish)>| {
        for (velocity, mut wishes) in &mut agents {
            let left = velocity.truncate().perp().extend(0.0);
            wishes.push(Wish::change(left * 10.0));
        }
    };
    app.add_plugins(SteeringPlugin::default())
        .add_systems(SteeringSchedule, turn_left.in_set(SteeringSystems::Decide));
    let vehicle = with_turning_radius(Vehicle::new(10.0).with_mass(3.0), 20.0);
    let car =
        app.world_mut().spawn((vehicle, SteeringWish::default(), Velocity(Vec3::X * 10.0))).id();
    let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
    // Once round takes 4π seconds.
    for _ in 0..900 {
        app.update();
        let place = app.world().get::<Transform>(car).unwrap().translation;
        (low, high) = (low.min(place), high.max(place));
    }
    let size = high - low;
    assert!((size.x - 40.0).abs() < 2.0 && (size.y - 40.0).abs() < 2.0, "{size}");
}
