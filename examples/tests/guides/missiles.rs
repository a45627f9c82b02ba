use std::time::Duration;

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

const SHIP: SteeringLayers = SteeringLayers::layer(1);
const MISSILE: SteeringLayers = SteeringLayers::layer(2);

#[derive(Component)]
struct Missile {
    target: Entity,
    fuel: Timer,
}

/// A missile in front of whatever launches it. In 2D, agents point along +x.
fn missile(launcher: &Transform, target: Entity) -> impl Bundle {
    let forward = launcher.local_x();
    (
        // At 300 units a second it turns in a circle with a radius of 300² / 900 = 100 units.
        Vehicle::new(300.0).with_max_force(900.0).with_radius(3.0),
        Velocity(forward * 300.0),
        Pursue::new(target),
        // Without a target it flies straight on.
        WhenIdle::Coast,
        MISSILE,
        Missile { target, fuel: Timer::new(Duration::from_secs(6), TimerMode::Once) },
        launcher.with_translation(launcher.translation + forward * 20.0),
    )
}

/// Behaviours brake where the target is behind, as walkers do. A missile cannot: all of its force
/// turns it.
fn turn_only(mut missiles: Query<(&Velocity, &mut SteeringForce), With<Missile>>) {
    for (velocity, mut force) in &mut missiles {
        let left = velocity.truncate().perp().normalize_or_zero().extend(0.0);
        force.linear = left * force.linear.length().copysign(force.linear.dot(left));
    }
}

/// Missiles that touch their targets, or have no fuel left, are gone.
fn explode(
    mut commands: Commands,
    mut missiles: Query<(Entity, &mut Missile, &Vehicle, &Transform)>,
    targets: Query<(&Vehicle, &Transform)>,
    time: Res<Time>,
) {
    for (entity, mut missile, vehicle, transform) in &mut missiles {
        let hits = targets.get(missile.target).is_ok_and(|(target, place)| {
            let reach = vehicle.radius + target.radius;
            transform.translation.distance(place.translation) < reach
        });
        if hits {
            commands.entity(missile.target).despawn();
        }
        if hits || missile.fuel.tick(time.delta()).is_finished() {
            commands.entity(entity).despawn();
        }
    }
}

/// Ships give way to each other. They do not know of missiles.
fn ship(place: Vec2) -> impl Bundle {
    let avoid = AvoidAgents::default().with_layers(SHIP);
    (
        Vehicle::new(80.0).with_radius(10.0),
        SHIP,
        avoid,
        Transform::from_translation(place.extend(0.0)),
    )
}

fn plugin(app: &mut App) {
    let between = turn_only.after(SteeringSystems::Limit).before(SteeringSystems::Integrate);
    app.add_plugins(SteeringPlugin::default())
        .add_systems(SteeringSchedule, between)
        .add_systems(FixedUpdate, explode.after(RunSteering));
}

#[test]
fn missiles_lead_hit_and_burn_out() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let world = app.world_mut();
    let crossing = (Seek::new(Vec2::new(500.0, 1e5)), Velocity(Vec3::Y * 80.0));
    let target = world.spawn((ship(Vec2::new(500.0, 0.0)), crossing)).id();
    // It is launched away from the target and has to turn round.
    let launcher = Transform::from_rotation(Quat::from_rotation_z(3.0));
    let first = world.spawn(missile(&launcher, target)).id();
    let second = launcher.with_translation(Vec3::Y * -9e3);
    let second = world.spawn(missile(&second, target)).id();
    let bystander = world.spawn(ship(Vec2::new(250.0, 40.0))).id();
    app.update();
    let mut heading = app.world().get::<Velocity>(first).unwrap().normalize();
    let (mut tightest, mut ticks) = (f32::INFINITY, 0);
    while app.world().get_entity(target).is_ok() && ticks < 384 {
        app.update();
        ticks += 1;
        if let Some(velocity) = app.world().get::<Velocity>(first) {
            let turned = velocity.normalize().angle_between(heading);
            heading = velocity.normalize();
            tightest = tightest.min(velocity.length() / 64.0 / turned.max(1e-6));
        }
    }
    assert!(app.world().get_entity(target).is_err(), "hit");
    assert!(app.world().get_entity(first).is_err() && ticks < 320, "{ticks} ticks");
    assert!(tightest > 95.0 && tightest < 110.0, "a turning radius of {tightest}");
    let place = app.world().get::<Transform>(bystander).unwrap().translation;
    assert!(place.distance(Vec3::new(250.0, 40.0, 0.0)) < 0.1, "ships do not dodge: {place}");
    // The other one has lost its target. It flies on until its fuel is used up.
    (0..8).for_each(|_| app.update());
    let before = app.world().get::<Velocity>(second).unwrap().0;
    (0..8).for_each(|_| app.update());
    assert_eq!(app.world().get::<Velocity>(second).unwrap().0, before);
    (0..400).for_each(|_| app.update());
    assert!(app.world().get_entity(second).is_err(), "burnt out");
}
