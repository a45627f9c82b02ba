//! What makes no sense is named in the log, with its entity and field, exactly once.

mod common;

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, ObstacleShape, Path, TurnLimits, Velocity, prelude::*};
use common::{
    Sim, at,
    log_lines::{catch, caught},
};

const NAN: f32 = f32::NAN;

/// Puts one thing that makes no sense on an entity, and says how its field is called.
type Offence = (&'static str, fn(&mut EntityWorldMut));

fn agent_with(entity: &mut EntityWorldMut, bundle: impl Bundle) {
    entity.insert((Vehicle::default(), bundle));
}

fn senseless(entity: &mut EntityWorldMut, change: fn(&mut Vehicle)) {
    let mut vehicle = Vehicle::default();
    change(&mut vehicle);
    entity.insert((vehicle, Seek::new(Vec3::X)));
}

const BODIES: [Offence; 8] = [
    ("Vehicle.mass", |entity| senseless(entity, |vehicle| vehicle.mass = 0.0)),
    ("Vehicle.max_speed", |entity| senseless(entity, |vehicle| vehicle.max_speed = NAN)),
    ("Vehicle.max_force", |entity| senseless(entity, |vehicle| vehicle.max_force = -1.0)),
    ("Vehicle.radius", |entity| senseless(entity, |vehicle| vehicle.radius = f32::INFINITY)),
    ("Vehicle.response", |entity| senseless(entity, |vehicle| vehicle.response = NAN)),
    ("Transform.translation", |entity| agent_with(entity, at(NAN, 0.0))),
    ("Velocity", |entity| agent_with(entity, Velocity(Vec3::NAN))),
    ("AngularVelocity", |entity| {
        agent_with(entity, AngularVelocity(Vec3::new(0.0, 0.0, f32::INFINITY)));
    }),
];

const BEHAVIORS: [Offence; 17] = [
    ("Seek.target.0.x", |entity| agent_with(entity, Seek::new(Vec2::new(NAN, 0.0)))),
    ("Seek.blend.weight", |entity| agent_with(entity, Seek::new(Vec2::X).with_weight(NAN))),
    ("Flee.panic_distance.0", |entity| agent_with(entity, Flee::new(Vec2::X).within(NAN))),
    ("Arrive.profile.0", |entity| {
        let profile = ArriveProfile::SlowRadius(NAN);
        agent_with(entity, Arrive::new(Vec2::X).with_profile(profile));
    }),
    ("Arrive.stop_radius", |entity| {
        agent_with(entity, Arrive::new(Vec2::X).with_stop_radius(NAN));
    }),
    ("Pursue.max_prediction", |entity| {
        agent_with(entity, Pursue::new(Vec2::X).with_max_prediction(NAN));
    }),
    ("Evade.target.within", |entity| {
        agent_with(entity, Evade::new(Target::nearest(SteeringLayers::ALL, NAN)));
    }),
    ("OffsetPursue.offset.y", |entity| {
        agent_with(entity, OffsetPursue::new(Vec2::X, Vec3::new(0.0, NAN, 0.0)));
    }),
    ("Wander.rate", |entity| agent_with(entity, Wander::default().with_rate(NAN))),
    ("MatchVelocity.target.0.z", |entity| {
        agent_with(entity, MatchVelocity::new(Vec3::new(0.0, 0.0, NAN)));
    }),
    ("AvoidObstacles.margin", |entity| {
        agent_with(entity, AvoidObstacles::default().with_margin(NAN));
    }),
    ("AvoidAgents.horizon", |entity| {
        agent_with(entity, AvoidAgents::default().with_horizon(NAN));
    }),
    ("PathFollow.path[1]", |entity| {
        agent_with(entity, PathFollow::new(Path::new([Vec3::ZERO, Vec3::NAN])));
    }),
    ("PathFollow.style.radius", |entity| {
        let path = Path::new([Vec3::ZERO, Vec3::X]);
        agent_with(entity, PathFollow::new(path).by_waypoints(NAN));
    }),
    ("Flock.radius", |entity| agent_with(entity, Flock { radius: NAN, ..default() })),
    ("Face.limits.max_rate", |entity| {
        let limits = TurnLimits { max_rate: NAN, ..default() };
        agent_with(entity, Face::new(Vec2::X).with_limits(limits));
    }),
    ("Align.bearing.0", |entity| agent_with(entity, Align::to_angle(NAN))),
];

const OBSTACLES: [Offence; 5] = [
    ("Transform", |entity| {
        entity.insert((Obstacle::sphere(1.0), at(f32::INFINITY, 0.0)));
    }),
    ("Obstacle.shape", |entity| {
        entity.insert(Obstacle::sphere(-1.0));
    }),
    ("Obstacle.shape", |entity| {
        entity.insert(Obstacle::cuboid(Vec3::new(1.0, NAN, 1.0)));
    }),
    ("Obstacle.shape", |entity| {
        let shape = ObstacleShape::Segment { start: Vec3::new(NAN, 0.0, 0.0), end: Vec3::X };
        entity.insert(Obstacle { shape });
    }),
    ("Wall", |entity| {
        entity.insert(Wall::new(Vec3::new(NAN, 0.0, 0.0), Vec3::X));
    }),
];

/// All that is logged of an entity.
fn lines_of(entity: Entity) -> Vec<String> {
    let name = format!(" of {entity} ");
    caught().into_iter().filter(|line| line.contains(&name)).collect()
}

fn assert_each_is_named_once(offences: &[Offence]) {
    catch();
    let mut sim = Sim::new();
    let entities: Vec<Entity> = offences
        .iter()
        .map(|(_, offend)| {
            let mut entity = sim.app.world_mut().spawn_empty();
            offend(&mut entity);
            entity.id()
        })
        .collect();
    for _ in 0..20 {
        sim.tick();
        for ((_, offend), &entity) in offences.iter().zip(&entities) {
            // Set again and again, as a game's system might.
            offend(&mut sim.app.world_mut().entity_mut(entity));
        }
    }
    for ((field, _), &entity) in offences.iter().zip(&entities) {
        let lines = lines_of(entity);
        let named = lines.iter().filter(|line| line.contains(&format!("{field} of "))).count();
        assert_eq!(named, 1, "{field} of {entity} among {lines:#?}");
        assert_eq!(lines.len(), 1, "{lines:#?}");
        assert!(lines[0].starts_with("WARN bevy_steer: "), "{lines:#?}");
    }
    assert_eq!(caught().len(), offences.len());
}

#[test]
fn bodies_that_make_no_sense_are_named_once() {
    assert_each_is_named_once(&BODIES);
}

#[test]
fn so_is_each_of_a_crowd() {
    let crowd: Vec<Offence> = BODIES.into_iter().flat_map(|offence| [offence; 9]).collect();
    assert_each_is_named_once(&crowd);
}

#[test]
fn parameters_that_are_not_numbers_are_named_once() {
    assert_each_is_named_once(&BEHAVIORS);
}

#[test]
fn obstacles_that_make_no_sense_are_named_once() {
    assert_each_is_named_once(&OBSTACLES);
}

#[test]
fn targets_that_make_no_sense_are_named_once_and_not_pursued() {
    for (place, velocity) in [(at(NAN, 0.0), Vec3::ZERO), (at(3.0, 0.0), Vec3::Y * NAN)] {
        catch();
        let mut sim = Sim::new();
        let target = sim.spawn((place, Velocity(velocity)));
        let agents = [(); 2].map(|()| sim.spawn((Vehicle::default(), Pursue::new(target))));
        sim.run(0.2);
        assert_eq!(agents.map(|agent| sim.velocity(agent)), [Vec3::ZERO; 2]);
        let lines = lines_of(target);
        assert!(lines.len() == 1 && lines[0].contains("target"), "{lines:#?}");
    }
}

#[test]
fn settings_of_an_agent_that_are_not_numbers_are_named_once() {
    assert_each_is_named_once(&[
        ("Arbitration.epsilon", |entity| {
            agent_with(entity, Arbitration::FirstActive { epsilon: NAN });
        }),
        ("Bounds.max.x", |entity| {
            let far = Vec2::new(NAN, 1.0);
            agent_with(entity, Bounds::rect(Vec2::ZERO, far, BoundsEdge::Wrap));
        }),
    ]);
}

#[test]
fn a_world_that_makes_sense_logs_nothing() {
    catch();
    let mut sim = Sim::new();
    sim.spawn((Obstacle::sphere(2.0), at(8.0, 0.0)));
    sim.spawn(Wall::new(Vec2::new(-9.0, -9.0), Vec2::new(9.0, -9.0)));
    let still = Vehicle { max_speed: 0.0, max_force: 0.0, radius: 0.0, ..default() };
    sim.spawn((still, Seek::new(Vec2::X)));
    let target = sim.spawn((Vehicle::default(), Wander::default()));
    sim.spawn((Vehicle::default(), Flock::default(), Pursue::new(target), AvoidAgents::default()));
    let sees_all = Target::nearest(SteeringLayers::ALL, f32::INFINITY);
    sim.spawn((Vehicle::default(), Evade::new(sees_all), AvoidObstacles::default(), at(1.0, 3.0)));
    sim.spawn((Vehicle::default(), PathFollow::new(Path::default()), AvoidWalls::default()));
    sim.run(1.0);
    sim.app.world_mut().despawn(target);
    sim.run(1.0);
    assert_eq!(caught(), Vec::<String>::new());
}

#[test]
fn the_log_is_not_flooded() {
    catch();
    let mut sim = Sim::new();
    for _ in 0..1500 {
        sim.spawn((Vehicle::default().with_mass(NAN), Seek::new(Vec2::X)));
    }
    sim.run(0.2);
    let lines = caught();
    assert!((1000..=1001).contains(&lines.len()), "{}", lines.len());
    assert!(lines.last().unwrap().contains("the rest are not logged"), "{:?}", lines.last());
}

/// A behaviour of a game, with a mistake in it.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Broken {
    blend: Blend,
}

impl SteeringBehavior for Broken {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();
    fn steer(&mut self, _: &Agent, (): &()) -> Steering {
        Steering::linear(Vec3::new(0.0, NAN, 0.0))
    }
}

#[test]
fn a_behaviour_that_asks_for_no_number_is_named_and_not_heard() {
    catch();
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Broken>();
    let agent = sim.spawn((Vehicle::default(), Broken::default(), Seek::new(Vec2::X * 9.0)));
    sim.run(0.5);
    let lines = caught();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("Broken") && lines[0].contains(&agent.to_string()), "{lines:?}");
    assert!(sim.velocity(agent).x > 1.0, "the others are heard");
}

/// A behaviour of a game that comes and goes so often that it is kept in a sparse set.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[component(storage = "SparseSet")]
#[reflect(Component, Default)]
struct Gust {
    wish: Vec3,
    blend: Blend,
}

impl SteeringBehavior for Gust {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();
    fn steer(&mut self, _: &Agent, (): &()) -> Steering {
        Steering::linear(self.wish)
    }
}

#[test]
fn a_behaviour_in_a_sparse_set_steers_and_is_checked_when_it_changes() {
    catch();
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Gust>();
    let [agent, other] = [Vec3::X, Vec3::Y].map(|wish| {
        let gust = Gust { wish, ..default() };
        sim.spawn((Vehicle::default(), gust))
    });
    sim.run(0.5);
    assert!(sim.velocity(agent).x > 0.5 && sim.velocity(other).y > 0.5);
    assert_eq!(caught(), Vec::<String>::new());
    sim.get_mut::<Gust>(other).wish.z = NAN;
    sim.run(0.5);
    let named: Vec<String> =
        caught().into_iter().filter(|line| line.contains("Gust.wish.z of ")).collect();
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].contains(&other.to_string()), "{named:?}");
}

#[test]
fn a_behaviour_that_is_registered_twice_runs_once() {
    let wish = |times| {
        let mut sim = Sim::new();
        for _ in 0..times {
            sim.app.add_steering_behavior::<Seek>();
        }
        let agent = sim.spawn((Vehicle::default(), Seek::new(Vec2::X * 9.0).with_weight(0.1)));
        sim.tick();
        let registry = sim.app.world().resource::<bevy_steer::BehaviorRegistry>();
        let seeks = registry.iter().filter(|behavior| behavior.name == "Seek").count();
        (sim.get::<SteeringForce>(agent).linear, seeks)
    };
    assert_eq!(wish(0).1, 1, "by the plugin");
    assert_eq!(wish(2), wish(0));
}
