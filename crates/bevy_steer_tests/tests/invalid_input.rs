//! Invalid input is reported in the log, with its entity and field, exactly once.

use std::collections::BTreeMap;

use bevy::{
    prelude::*,
    reflect::{PartialReflect, ReflectMut},
};
use bevy_steer::{
    AngularVelocity, BehaviorVisitor, ObstacleShape, Path, Velocity, prelude::*,
    visit_built_in_behaviors,
};

use crate::common::{
    Sim, at,
    log_lines::{catch, caught},
    random_behaviors::RandomBehaviors,
    rng::TestRng,
    worlds::Motion,
};

const NAN: f32 = f32::NAN;

/// The name of a field, and what puts an invalid value into it.
type Invalid = (&'static str, fn(&mut EntityWorldMut));

fn agent_with(entity: &mut EntityWorldMut, bundle: impl Bundle) {
    entity.insert((Vehicle::default(), bundle));
}

fn invalid_vehicle(entity: &mut EntityWorldMut, change: fn(&mut Vehicle)) {
    let mut vehicle = Vehicle::default();
    change(&mut vehicle);
    entity.insert((vehicle, Seek::new(Vec3::X)));
}

const BODIES: [Invalid; 8] = [
    ("Vehicle.mass", |entity| invalid_vehicle(entity, |vehicle| vehicle.mass = 0.0)),
    ("Vehicle.max_speed", |entity| invalid_vehicle(entity, |vehicle| vehicle.max_speed = NAN)),
    ("Vehicle.max_force", |entity| invalid_vehicle(entity, |vehicle| vehicle.max_force = -1.0)),
    ("Vehicle.radius", |entity| invalid_vehicle(entity, |vehicle| vehicle.radius = f32::INFINITY)),
    ("Vehicle.response", |entity| invalid_vehicle(entity, |vehicle| vehicle.response = NAN)),
    ("Transform.translation", |entity| agent_with(entity, at(NAN, 0.0))),
    ("Velocity", |entity| agent_with(entity, Velocity(Vec3::NAN))),
    ("AngularVelocity", |entity| {
        agent_with(entity, AngularVelocity(Vec3::new(0.0, 0.0, f32::INFINITY)));
    }),
];

const OBSTACLES: [Invalid; 5] = [
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
        entity.insert(Obstacle::new(shape));
    }),
    ("Wall", |entity| {
        entity.insert(Wall::new(Vec3::new(NAN, 0.0, 0.0), Vec3::X));
    }),
];

/// All lines about an entity.
fn lines_of(entity: Entity) -> Vec<String> {
    let name = format!(" {entity}: ");
    caught().into_iter().filter(|line| line.contains(&name)).collect()
}

fn assert_each_is_named_once(invalid: &[Invalid]) {
    let invalid = invalid.iter().map(|&(name, set)| (name.to_owned(), Box::new(set) as Set));
    assert_all_are_named_once(&invalid.collect::<Vec<_>>());
}

/// Puts an invalid value into a field.
type Set = Box<dyn Fn(&mut EntityWorldMut)>;

fn assert_all_are_named_once(invalid: &[(String, Set)]) {
    catch();
    let mut sim = Sim::new();
    let entities: Vec<Entity> = invalid
        .iter()
        .map(|(_, set)| {
            let mut entity = sim.app.world_mut().spawn_empty();
            set(&mut entity);
            entity.id()
        })
        .collect();
    for _ in 0..20 {
        sim.tick();
        for ((_, set), &entity) in invalid.iter().zip(&entities) {
            // Set again and again, as a game's system might.
            set(&mut sim.app.world_mut().entity_mut(entity));
        }
    }
    for ((field, _), &entity) in invalid.iter().zip(&entities) {
        let lines = lines_of(entity);
        let named = lines.iter().filter(|line| line.contains(&format!(": {field} "))).count();
        assert_eq!(named, 1, "{field} of {entity} among {lines:#?}");
        assert_eq!(lines.len(), 1, "{lines:#?}");
        assert!(lines[0].starts_with("WARN bevy_steer: "), "{lines:#?}");
    }
    assert_eq!(caught().len(), invalid.len());
}

/// The parameters of all built-in behaviours, each as NaN.
#[derive(Default)]
struct NanParameters(BTreeMap<String, Set>);

impl BehaviorVisitor for NanParameters {
    fn visit<B: SteeringBehavior + Clone + Default>(&mut self) {
        // So many that every variant of each enum is among them.
        for seed in 0..40 {
            let mut random = RandomBehaviors {
                rng: TestRng::new(seed, 5),
                motion: &Motion::NONE,
                reach: 9.0,
                targets: &[Entity::PLACEHOLDER],
                except: Some(Entity::PLACEHOLDER),
            };
            let mut sensible = random.behavior::<B>();
            *sensible.blend_mut() = Blend::default();
            for index in 0_usize.. {
                let mut behavior = sensible.clone();
                let mut skip = index;
                let place = set_nan(behavior.as_partial_reflect_mut(), &mut skip);
                let Some(place) = place else { break };
                let set = move |entity: &mut EntityWorldMut| agent_with(entity, behavior.clone());
                self.0.insert(format!("{}{place}", B::name()), Box::new(set));
            }
        }
    }
}

/// Makes the number at this place among all those of `value` NaN, and names it: `.target.0.x`.
fn set_nan(value: &mut dyn PartialReflect, skip: &mut usize) -> Option<String> {
    let is_number = value.try_downcast_ref::<f32>().is_some();
    let is_path = value.try_downcast_ref::<Path>().is_some();
    if is_number || is_path {
        if *skip > 0 {
            *skip -= 1;
            return None;
        }
        return Some(if is_number {
            value.apply(&NAN);
            String::new()
        } else {
            *value.try_downcast_mut().expect("a path") = Path::new([Vec3::ZERO, Vec3::NAN]);
            "[1]".to_owned()
        });
    }
    let below = |name: String, field: Option<&mut dyn PartialReflect>, skip: &mut usize| {
        Some(format!("{name}{}", set_nan(field?, skip)?))
    };
    match value.reflect_mut() {
        ReflectMut::Struct(fields) => (0..fields.field_len()).find_map(|i| {
            let name = format!(".{}", fields.name_at(i).unwrap_or_default());
            below(name, fields.field_at_mut(i), skip)
        }),
        ReflectMut::TupleStruct(fields) => {
            (0..fields.field_len()).find_map(|i| below(format!(".{i}"), fields.field_mut(i), skip))
        }
        ReflectMut::Enum(fields) => (0..fields.field_len()).find_map(|i| {
            let name = fields.name_at(i).map_or_else(|| format!(".{i}"), |name| format!(".{name}"));
            below(name, fields.field_at_mut(i), skip)
        }),
        _ => None,
    }
}

#[test]
fn invalid_bodies_are_reported_once() {
    assert_each_is_named_once(&BODIES);
}

#[test]
fn invalid_bodies_of_a_crowd_are_reported_once() {
    let crowd: Vec<Invalid> = BODIES.into_iter().flat_map(|invalid| [invalid; 9]).collect();
    assert_each_is_named_once(&crowd);
}

#[test]
fn nan_parameters_are_reported_once() {
    let mut parameters = NanParameters::default();
    visit_built_in_behaviors(&mut parameters);
    let parameters: Vec<_> = parameters.0.into_iter().collect();
    assert!(parameters.len() > 60, "{} fields", parameters.len());
    assert_all_are_named_once(&parameters);
}

#[test]
fn invalid_obstacles_are_reported_once() {
    assert_each_is_named_once(&OBSTACLES);
}

#[test]
fn invalid_targets_are_reported_once_and_not_pursued() {
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
fn nan_settings_are_reported_once() {
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
fn a_valid_world_logs_nothing() {
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
    assert!(
        lines.last().unwrap().contains("further warnings are suppressed"),
        "{:?}",
        lines.last()
    );
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
fn a_non_finite_result_is_reported_and_dropped() {
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
fn sparse_set_behaviors_steer_and_are_checked() {
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
        caught().into_iter().filter(|line| line.contains(": Gust.wish.z is ")).collect();
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].contains(&other.to_string()), "{named:?}");
}

#[test]
fn a_behavior_registered_twice_runs_once() {
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
