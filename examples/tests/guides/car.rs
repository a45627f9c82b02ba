use bevy::prelude::*;
use bevy_steer::{Heading, Velocity, prelude::*};

#[derive(Component)]
struct Car {
    /// The radius of the smallest circle that it can drive, in world units.
    turning_radius: f32,
}

fn hold_the_road(
    mut cars: Query<(&Car, &Vehicle, &Velocity, &Heading, &mut SteeringForce)>,
    time: Res<Time>,
) {
    for (car, vehicle, velocity, heading, mut force) in &mut cars {
        let (ahead, left) = (heading.truncate(), heading.truncate().perp());
        let speed = velocity.truncate().dot(ahead).max(0.0);
        // The velocity that the force would lead to if the car could move sideways.
        let response = vehicle.response.max(time.delta_secs());
        let wanted = velocity.truncate() + force.linear.truncate() * (response / vehicle.mass);
        // The car cannot reverse: for a point behind it, it turns around at a third of the speed.
        let forward = wanted.dot(ahead).max(wanted.length() / 3.0);
        let max_sideways = speed * speed / car.turning_radius;
        let mut sideways = wanted.dot(left) / response;
        if wanted.dot(ahead) < 0.0 {
            sideways = max_sideways.copysign(sideways);
        }
        let change = ahead * ((forward - speed) / response)
            + left * sideways.clamp(-max_sideways, max_sideways);
        force.linear = (change * vehicle.mass).clamp_length_max(vehicle.max_force).extend(0.0);
    }
}

fn plugin(app: &mut App) {
    let between = hold_the_road.after(SteeringSystems::Limit).before(SteeringSystems::Integrate);
    app.add_systems(SteeringSchedule, between);
}

fn spawn(mut commands: Commands) {
    // The car faces away from its goal.
    let body = Vehicle::new(15.0).with_max_force(20.0).with_radius(1.0);
    let goal = Arrive::new(Vec2::new(-60.0, 0.0)).with_stop_radius(2.0);
    commands.spawn((body, Car { turning_radius: 6.0 }, goal));
}

#[test]
fn a_car_turns_round_and_arrives() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins((SteeringPlugin::default(), plugin)).add_systems(Startup, spawn);
    app.add_observer(|_: On<Arrived>, mut exit: MessageWriter<AppExit>| {
        exit.write(AppExit::Success);
    });
    let (mut last, mut ticks, mut tightest) = (Vec2::ZERO, 0, 1e9_f32);
    while app.should_exit().is_none() {
        app.update();
        ticks += 1;
        assert!(ticks < 2000, "never arrives");
        let mut cars = app.world_mut().query_filtered::<&Velocity, With<Car>>();
        let velocity = cars.single(app.world()).unwrap().truncate();
        if velocity.length().min(last.length()) > 3.0 {
            let turned = last.angle_to(velocity).abs() * 64.0;
            tightest = tightest.min(velocity.length() / turned.max(1e-6));
        }
        last = velocity;
    }
    assert!(tightest > 5.0, "{tightest}");
}
