//! Every component can be written with serde and read back, in the middle of a run and with all
//! that it remembers.

use core::{any::TypeId, fmt::Debug};

use bevy::{
    ecs::component::Mutable,
    prelude::*,
    reflect::{NamedField, ReflectDeserialize, ReflectMut, ReflectRef, ReflectSerialize, TypeInfo},
};
use bevy_steer::{
    AgentId, AngularVelocity, BehaviorVisitor, Heading, KeepRotation, Memory, NextAgentId,
    RuntimeState, StateData, SteeringSettings, Velocity, prelude::*, visit_built_in_behaviors,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::common::{
    Sim, at, random_behaviors,
    worlds::{Motion, Plan},
};

/// JSON has no infinite numbers.
#[test]
fn what_has_no_bounds_can_be_read_back() {
    let corner = Vec2::splat(50.0);
    reread(&WorldBounds(Bounds::rect(-corner, corner, BoundsEdge::Wrap)));
    reread(&Bounds::ground(-corner, corner, BoundsEdge::Bounce));
    reread(&Bounds::UNBOUNDED);
    reread(&SteeringHeight::default());
    reread(&Target::nearest(SteeringLayers::ALL, f32::INFINITY));
}

fn bounds() -> Bounds {
    Bounds::cuboid(Vec3::splat(-50.0), Vec3::splat(50.0), BoundsEdge::Bounce)
}

/// Reads back what was written. Entities are written as they are.
fn reread<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("writing");
    let back: T = serde_json::from_str(&text).expect("reading");
    assert_eq!(*value, back, "{text}");
}

fn reread_component<C>(sim: &mut Sim)
where
    C: Component<Mutability = Mutable> + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let mut all = sim.app.world_mut().query::<&C>();
    let mut found = 0;
    for component in all.iter(sim.app.world()) {
        reread(component);
        found += 1;
    }
    assert!(found > 0, "no entity has a {}", core::any::type_name::<C>());
}

/// Reads back every built-in behaviour, as the type registry writes it.
struct Reread<'a>(&'a mut Sim);

impl BehaviorVisitor for Reread<'_> {
    fn visit<B: SteeringBehavior + Clone + Debug + Default>(&mut self) {
        let world = self.0.app.world_mut();
        let registry = world.resource::<AppTypeRegistry>().clone();
        let registry = registry.read();
        let data = registry.get(TypeId::of::<B>()).expect("a registered type");
        let write = data.data::<ReflectSerialize>().expect("a type that can be written");
        let read = data.data::<ReflectDeserialize>().expect("a type that can be read");
        let mut behaviors = world.query::<&B>();
        let mut found = 0;
        for behavior in behaviors.iter(world) {
            let text = serde_json::to_string(&*write.get_serializable(behavior)).expect("writing");
            let mut reader = serde_json::Deserializer::from_str(&text);
            let back = read.deserialize(&mut reader);
            let back = back.unwrap_or_else(|error| panic!("{text}: {error}"));
            // Not by equality, which leaves out what behaviours remember.
            assert_eq!(format!("{back:?}"), format!("{behavior:?}"), "{text}");
            found += 1;
        }
        assert!(found > 0, "no agent has a {}", B::name());
    }
}

/// Compares every behaviour with one that has the same parameters and remembers nothing.
struct Forget<'a> {
    sim: &'a mut Sim,
    /// Behaviours that remembered something.
    remembered: Vec<&'static str>,
}

impl BehaviorVisitor for Forget<'_> {
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self) {
        let TypeInfo::Struct(info) = B::type_info() else { panic!("{} is a struct", B::name()) };
        let is_memory = |field: &NamedField| {
            let path = field.type_info().map_or("", TypeInfo::type_path);
            path.starts_with(Memory::<f32>::type_path().trim_end_matches("f32>"))
        };
        let memories: Vec<_> = info.iter().filter(|field| is_memory(field)).collect();
        assert!(memories.len() <= 1, "{} keeps one memory", B::name());
        for field in info.iter() {
            let is_marked = field.has_attribute::<RuntimeState>();
            assert!(!is_marked, "{}.{} belongs into its memory", B::name(), field.name());
        }
        let Some(&memory) = memories.first() else { return };
        let world = self.sim.app.world_mut();
        for behavior in world.query::<&B>().iter(world) {
            let mut same = behavior.clone();
            let ReflectMut::Struct(fields) = same.reflect_mut() else { unreachable!() };
            let unused = B::default();
            let ReflectRef::Struct(unused) = unused.reflect_ref() else { unreachable!() };
            let unused = unused.field(memory.name()).expect("the field");
            fields.field_mut(memory.name()).expect("the field").apply(unused);
            assert_eq!(same, *behavior);
            if format!("{same:?}") != format!("{behavior:?}") {
                self.remembered.push(B::name());
            }
        }
    }
}

#[test]
fn behaviors_that_differ_in_what_they_remember_are_equal() {
    let mut sim = world_of_everything();
    let mut forget = Forget { sim: &mut sim, remembered: Vec::new() };
    visit_built_in_behaviors(&mut forget);
    let Forget { mut remembered, .. } = forget;
    remembered.dedup();
    assert!(remembered.len() >= 6, "{remembered:?}");
    let [slow, fast] = [1.0, 2.0].map(|rate| Wander { rate, ..default() });
    assert_ne!(slow, fast);
}

/// After one and a half seconds.
fn world_of_everything() -> Sim {
    let mut sim = Sim::new();
    let goal = sim.spawn((at(9.0, 5.0), Velocity(Vec3::X)));
    let own = (Arbitration::dithered(), SteeringPlane::Xy, SteeringHeight(2.5), KeepRotation);
    let agent = sim.spawn((Vehicle::default(), own, bounds()));
    sim.spawn((Vehicle::default(), Obstacle::capsule(1.0, 4.0), at(6.0, 1.0)));
    sim.spawn(Wall::new(Vec2::ZERO, Vec2::ONE));
    // One agent with examples of all behaviours, and many with random ones.
    let plan = Plan { agents: vec![random_behaviors::all(); 20], ..Plan::new(3) };
    let world = sim.app.world_mut();
    for bit in 0..random_behaviors::count() {
        random_behaviors::give_example(&mut world.entity_mut(agent), bit, goal);
    }
    plan.populate(world, &Motion::NONE);
    sim.run(1.5);
    sim
}

#[test]
fn components_and_resources_survive_serialization() {
    let mut sim = world_of_everything();
    visit_built_in_behaviors(&mut Reread(&mut sim));
    reread_component::<Vehicle>(&mut sim);
    reread_component::<Velocity>(&mut sim);
    reread_component::<AngularVelocity>(&mut sim);
    reread_component::<Heading>(&mut sim);
    reread_component::<SteeringForce>(&mut sim);
    reread_component::<SteeringLayers>(&mut sim);
    reread_component::<SteeringPlane>(&mut sim);
    reread_component::<SteeringHeight>(&mut sim);
    reread_component::<AgentId>(&mut sim);
    reread_component::<Arbitration>(&mut sim);
    reread_component::<KeepRotation>(&mut sim);
    reread_component::<Bounds>(&mut sim);
    reread_component::<Obstacle>(&mut sim);
    reread_component::<Wall>(&mut sim);
    reread(sim.app.world().resource::<SteeringSettings>());
    reread(&WorldBounds(bounds()));
    reread(sim.app.world().resource::<NextAgentId>());
}
