//! `SteeringWish`: what a game's systems ask for.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{BehaviorRegistry, SteeringTrace, prelude::*};

use crate::common::{Sim, at, strong};

#[test]
fn wishes_are_arbitrated_and_last_one_tick() {
    let mut sim = Sim::without_motion();
    let wishes = SteeringWish::new([
        Wish::velocity(Vec3::X * 3.0).with_weight(0.5),
        Wish::change(Vec3::Y).with_priority(Priority::High),
    ]);
    let agent = sim.spawn((strong(5.0), wishes, SteeringTrace::default()));
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::new(1.5, 1.0, 0.0));
    let registry = sim.app.world().resource::<BehaviorRegistry>();
    let trace: Vec<_> = sim.get::<SteeringTrace>(agent).iter().collect();
    assert!(trace.iter().all(|one| registry.get(one.behavior).unwrap().name == "Wish"));
    let noted = trace.iter().map(|one| (one.place, one.weight, one.priority)).collect::<Vec<_>>();
    let expected = [(Some(0), 0.5, Priority::Normal), (Some(1), 1.0, Priority::High)];
    assert_eq!(noted, expected);
    assert!(sim.get::<SteeringWish>(agent).is_empty());
    sim.tick();
    assert_eq!(sim.get::<SteeringTrace>(agent).iter().len(), 0);
}

#[test]
fn an_urgent_wish_comes_before_a_behavior() {
    let mut sim = Sim::without_motion();
    let push = Wish::change(Vec3::Y * 2.0).with_priority(Priority::High);
    let mode = Arbitration::FirstActive { epsilon: 0.1 };
    let seek = Seek::new(Vec2::X * 9.0);
    let agent = sim.spawn((strong(5.0), seek, SteeringWish::new([push]), mode));
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::Y * 2.0);
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::X * 5.0);
}

#[test]
fn a_wish_that_is_a_component_lasts() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Wish::velocity(Vec3::Y * 2.0)));
    sim.run(5.0);
    assert!((sim.velocity(agent) - Vec3::Y * 2.0).length() < 1e-3, "{}", sim.velocity(agent));
}

#[test]
fn a_wish_turns_an_agent() {
    let mut sim = Sim::new();
    let angular = bevy_steer::AngularVelocity::default();
    let agent = sim.spawn((Vehicle::default(), angular, SteeringWish::default()));
    sim.get_mut::<SteeringWish>(agent).push(Wish::turn(Vec3::Z * 2.0));
    sim.tick();
    assert!(sim.get::<bevy_steer::AngularVelocity>(agent).z > 0.0);
}

#[test]
fn an_invalid_wish_is_left_out() {
    let mut sim = Sim::new();
    let wishes = SteeringWish::new([Wish::velocity(Vec3::NAN), Wish::velocity(Vec3::X)]);
    let agent = sim.spawn((Vehicle::default(), wishes));
    sim.tick();
    let velocity = sim.velocity(agent);
    assert!(velocity.is_finite() && velocity.x > 0.0, "{velocity}");
}

/// Where a player's stick is held.
#[derive(Resource)]
struct Stick(Vec3);

/// A player held against a wall or a box 20 wide, with its face at `x` = 10; gives its place in
/// each tick.
fn held(avoid: impl Bundle, stick: Vec3, is_box: bool, seconds: f32) -> Vec<Vec3> {
    let mut sim = Sim::new();
    sim.app.insert_resource(Stick(stick)).add_systems(
        SteeringSchedule,
        (|stick: Res<Stick>, mut players: Query<(&Vehicle, &mut SteeringWish)>| {
            for (vehicle, mut wishes) in &mut players {
                wishes.push(Wish::velocity(stick.0 * vehicle.max_speed).straight());
            }
        })
        .in_set(SteeringSystems::Decide),
    );
    if is_box {
        sim.spawn((Obstacle::rect(Vec2::new(1.0, 20.0)), at(10.5, 0.0)));
    } else {
        sim.spawn(Wall::new(Vec2::new(10.0, -10.0), Vec2::new(10.0, 10.0)));
    }
    let player = sim.spawn((Vehicle::default(), avoid, SteeringWish::default()));
    let mut places = Vec::new();
    sim.run_with(seconds, |world| {
        places.push(world.get::<Transform>(player).unwrap().translation);
    });
    places
}

#[test]
fn a_player_held_against_a_wall_stays() {
    let walls = held(AvoidWalls::default(), Vec3::X, false, 15.0);
    let stones = held(AvoidObstacles::default(), Vec3::X, true, 15.0);
    let both = held((AvoidWalls::default(), AvoidObstacles::default()), Vec3::X, true, 15.0);
    for places in [walls, stones, both] {
        let aside = places.iter().map(|place| place.y.abs()).fold(0.0, f32::max);
        assert!(aside < 0.01, "led {aside} aside");
        let nearest = places.iter().map(|place| 10.0 - place.x).fold(f32::INFINITY, f32::min);
        let end = 10.0 - places.last().unwrap().x;
        assert!(nearest > 0.4, "{nearest} from the wall");
        assert!(end < 2.5, "stops {end} before the wall");
        let late = &places[places.len() - 64..];
        let moves = late.iter().map(|place| place.distance(late[0])).fold(0.0, f32::max);
        assert!(moves < 0.05, "trembles by {moves}");
    }
}

#[test]
fn a_player_slides_along_a_wall_as_it_steers() {
    let stick = Vec3::new(1.0, 1.0, 0.0).normalize();
    for is_box in [false, true] {
        let avoid = (AvoidWalls::default(), AvoidObstacles::default());
        let places = held(avoid, stick, is_box, 4.0);
        let last = places.last().unwrap();
        assert!(last.y > 7.0, "it is at {last}");
        let inside = places.iter().filter(|place| place.x > 9.6 && place.y < 10.0).count();
        assert_eq!(inside, 0);
    }
}

#[test]
fn wishes_are_heard_where_a_game_registers_its_behavior_first() {
    #[derive(Component, Reflect, Clone, Debug, Default)]
    #[reflect(Component, Default)]
    struct Drift {
        blend: Blend,
    }
    impl SteeringBehavior for Drift {
        type Param = ();
        const PRIORITY: Priority = Priority::Normal;
        bevy_steer::blend_field!();
        fn steer(&mut self, _: &Agent, (): &()) -> Steering {
            Steering::NONE
        }
    }
    let mut app = App::new();
    app.add_steering_behavior::<Drift>();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
    app.update();
    let wishes = SteeringWish::new([Wish::velocity(Vec3::X)]);
    let agent = app.world_mut().spawn((Vehicle::default(), wishes, Drift::default())).id();
    app.update();
    let world = app.world();
    assert!(world.get::<SteeringForce>(agent).unwrap().linear.x > 0.0);
    assert!(world.get::<SteeringWish>(agent).unwrap().is_empty());
}
