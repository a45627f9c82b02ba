//! Switching behaviours on and off, and asking whether they are.

use bevy::prelude::*;
use bevy_steer::{BehaviorRegistry, BehaviorVisitor, prelude::*, visit_built_in_behaviors};

use crate::common::Sim;

/// A behaviour of a game.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
struct Drift {
    blend: Blend,
}

impl SteeringBehavior for Drift {
    type Param = ();
    const PRIORITY: Priority = Priority::Low;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(Vec3::X - agent.velocity)
    }
}

/// Switches a behaviour by each of its calls.
struct Switch;

impl BehaviorVisitor for Switch {
    fn visit<B: SteeringBehavior + Default>(&mut self) {
        switch::<B>();
    }
}

fn switch<B: SteeringBehavior + Default>() {
    let mut behavior = B::default();
    assert!(behavior.is_enabled(), "{}", B::name());
    behavior.set_enabled(false);
    assert!(!behavior.is_enabled() && !B::default().disabled().is_enabled());
    behavior.toggle();
    assert!(behavior.is_enabled());
    behavior.toggle();
    assert!(!behavior.is_enabled() && !behavior.blend().enabled);
}

#[test]
fn each_behavior_is_switched_and_asked_by_one_call() {
    visit_built_in_behaviors(&mut Switch);
    switch::<Drift>();
}

#[test]
fn the_registry_tells_having_from_being_on() {
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Drift>();
    let agent = sim.spawn((Vehicle::default(), Seek::new(Vec2::X), Drift::default().disabled()));
    let crowd = sim.spawn((Vehicle::default(), Several::new([Seek::new(Vec2::X)])));
    let world = sim.app.world_mut();
    let registry = world.resource::<BehaviorRegistry>();
    let named = |name| *registry.iter().find(|known| known.name == name).unwrap();
    let [seek, drift, flee] = ["Seek", "Drift", "Flee"].map(named);
    let told = |world: &World, known: bevy_steer::RegisteredBehavior, entity| {
        let entity = world.entity(entity);
        [known.has(entity), known.is_enabled(entity)]
    };
    assert_eq!(told(world, seek, agent), [true, true]);
    assert_eq!(told(world, drift, agent), [true, false]);
    assert_eq!(told(world, flee, agent), [false, false]);
    assert_eq!(told(world, seek, crowd), [false, true]);

    for (known, entity) in [(seek, agent), (seek, crowd)] {
        assert!(known.set_enabled(&mut world.entity_mut(entity), false));
        assert!(!known.is_enabled(world.entity(entity)));
    }
    assert!(!world.get::<Seek>(agent).unwrap().is_enabled());
    assert!(!flee.set_enabled(&mut world.entity_mut(agent), true));
    assert!(drift.set_enabled(&mut world.entity_mut(agent), true));
    assert_eq!(told(world, drift, agent), [true, true]);
}
