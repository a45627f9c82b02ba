//! A world is written as Bevy writes worlds, is read into another app, and goes on as if nothing had happened.

#[path = "../../crates/bevy_steer/tests/common/mod.rs"]
mod common;

use core::any::TypeId;
use std::collections::BTreeSet;

use bevy::{
    ecs::{entity::EntityHashMap, reflect::ReflectResource},
    prelude::*,
    world_serialization::serde::WorldDeserializer,
};
use bevy_steer::{
    KeepRotation, NextAgentId, ShowSteeringGizmos, SteeringSettings, SteeringTick, SteeringTrace,
    prelude::*,
};
use common::{
    Sim,
    dice::Dice,
    fingerprint,
    worlds::{BEHAVIORS, Motion, Plan},
};
use serde::de::DeserializeSeed;

/// Everything that is somewhere, and the resources in which steering keeps something.
fn save(world: &mut World) -> String {
    let mut placed = world.query_filtered::<Entity, With<Transform>>();
    let placed: Vec<Entity> = placed.iter(world).collect();
    let registry = world.resource::<AppTypeRegistry>().read();
    DynamicWorldBuilder::from_world(world, &registry)
        .deny_all_resources()
        .allow_resource::<SteeringSettings>()
        .allow_resource::<WorldBounds>()
        .allow_resource::<NextAgentId>()
        .allow_resource::<SteeringTick>()
        .extract_resources()
        .extract_entities(placed.into_iter())
        .build()
        .serialize(&registry)
        .expect("a text")
}

/// Returns who has become whom.
fn load(world: &mut World, text: &str) -> EntityHashMap<Entity> {
    let registry = world.resource::<AppTypeRegistry>().clone();
    let mut assets = world.resource::<AssetServer>().clone();
    let seed = WorldDeserializer { type_registry: &registry.read(), load_from_path: &mut assets };
    let mut text = ron::Deserializer::from_str(text).expect("a text");
    let scene = seed.deserialize(&mut text).expect("a world");
    let mut entities = EntityHashMap::default();
    scene.write_to_world(world, &mut entities).expect("known components");
    entities
}

fn sim() -> Sim {
    let mut sim = Sim::new();
    sim.app.add_plugins(AssetPlugin::default()).register_type::<ShowSteeringGizmos>();
    sim
}

/// Everything that the crate has, in the middle of a run.
fn world_of_everything() -> Sim {
    let mut dice = Dice::new(8, 8);
    let any = |dice: &mut Dice| dice.index(1 << BEHAVIORS) as u32;
    let plan = Plan {
        seed: 5,
        plane: SteeringPlane::Xy,
        is_mixed: true,
        agents: (0..40).map(|_| any(&mut dice)).collect(),
        things: 20,
        reach: 14.0,
        worst: 0.0,
        order: None,
    };
    let mut sim = sim();
    let world = sim.app.world_mut();
    world.insert_resource(WorldBounds(Bounds::rect(
        Vec2::splat(-20.0),
        Vec2::splat(20.0),
        BoundsEdge::Wrap,
    )));
    for (i, agent) in plan.populate(world, &Motion::NONE).into_iter().enumerate() {
        let mut agent = world.entity_mut(agent);
        match i % 4 {
            0 => _ = agent.insert(ThinkEvery(3)),
            1 => _ = agent.insert((SteeringTrace::default(), ShowSteeringGizmos)),
            2 => _ = agent.insert((Arbitration::dithered(), KeepRotation)),
            _ => _ = agent.insert(dice.bounds()),
        }
    }
    sim.run(2.0);
    sim
}

/// In which other entities have the numbers of those in the world that is to be read.
fn another_world() -> Sim {
    let mut sim = sim();
    for _ in 0..37 {
        sim.spawn(Name::new("somebody else"));
    }
    sim
}

/// The components of this crate that a world can be written with.
fn components(world: &World) -> Vec<(TypeId, &'static str, ReflectComponent)> {
    let registry = world.resource::<AppTypeRegistry>().read();
    let own = registry.iter().filter(|known| {
        known.type_info().type_path().starts_with("bevy_steer::")
            && !known.contains::<ReflectResource>()
    });
    own.filter_map(|known| {
        let component = known.data::<ReflectComponent>()?.clone();
        Some((known.type_id(), known.type_info().type_path(), component))
    })
    .collect()
}

#[test]
fn every_component_is_read_as_it_was_written_and_is_about_the_same_entities() {
    let mut old = world_of_everything();
    let text = save(old.app.world_mut());
    let mut new = another_world();
    let mut entities = load(new.app.world_mut(), &text);
    assert!(entities.iter().all(|(old, new)| old != new), "the ids should be others");
    let (old, new) = (old.app.world(), new.app.world());
    let mut unseen: BTreeSet<&str> = components(old).iter().map(|&(_, path, _)| path).collect();
    for (was, is) in entities.clone() {
        for (_, path, component) in components(old) {
            let written = component.reflect(old.entity(was));
            let read = component.reflect(new.entity(is));
            assert_eq!(written.is_some(), read.is_some(), "{path} of {was}");
            let (Some(written), Some(read)) = (written, read) else { continue };
            let mut written = written.reflect_clone().expect("a clone");
            component.map_entities(&mut *written, &mut entities);
            let are_equal = written.reflect_partial_eq(read.as_partial_reflect());
            assert_eq!(are_equal, Some(true), "{written:?} has become {read:?}");
            unseen.remove(path);
        }
    }
    assert!(unseen.is_empty(), "the world should have had {unseen:?}");
}

#[test]
fn a_world_that_is_read_goes_on_like_the_one_that_was_written() {
    let mut old = world_of_everything();
    let text = save(old.app.world_mut());
    let mut new = another_world();
    load(new.app.world_mut(), &text);
    for half_second in 0..8 {
        let [old_print, new_print] =
            [&mut old, &mut new].map(|sim| fingerprint::of(sim.app.world_mut()));
        assert_eq!(old_print, new_print, "after {half_second} half seconds");
        for sim in [&mut old, &mut new] {
            // Somebody new has the same number, and so the same dice, in both.
            sim.spawn((Vehicle::default(), Wander::default(), ThinkEvery(2)));
            sim.run(0.5);
        }
    }
}

#[test]
fn a_target_that_was_not_written_is_lost_and_not_mistaken_for_somebody_else() {
    let mut old = sim();
    // Has no place, so it is not written; its id is somebody else's in the other world.
    let ghost = old.spawn(Name::new("ghost"));
    let agent = old.spawn((Vehicle::default(), Seek::new(ghost)));
    let text = save(old.app.world_mut());
    let mut new = sim();
    let somebody = (0..9).map(|_| new.spawn(Transform::from_xyz(9.0, 0.0, 0.0)));
    let somebody: Vec<Entity> = somebody.collect();
    assert!(somebody.contains(&ghost), "the test should have them mistaken");
    let agent = load(new.app.world_mut(), &text)[&agent];
    new.run(0.5);
    assert_eq!(new.position(agent), Vec3::ZERO);
}
