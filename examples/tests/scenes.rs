//! A world that is saved with Bevy's world serialization and loaded in another app continues
//! unchanged.

use core::any::TypeId;
use std::collections::BTreeSet;

use bevy::{
    ecs::{entity::EntityHashMap, reflect::ReflectResource},
    prelude::*,
    world_serialization::serde::WorldDeserializer,
};
use bevy_steer::{
    AngularLimits, HideSteeringTrace, KeepRotation, NextAgentId, ShowSteeringGizmos,
    SkipIntegration, SteeringSettings, SteeringTick, SteeringTrace, prelude::*,
};
use bevy_steer_tests::{
    Sim, fingerprint, random_behaviors,
    rng::TestRng,
    worlds::{Motion, Plan},
};
use serde::de::DeserializeSeed;

/// Saves all entities with a transform and the resources of steering.
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

/// Returns the map from saved to loaded entities.
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
    sim.app
        .add_plugins(AssetPlugin::default())
        .register_type::<ShowSteeringGizmos>()
        .register_type::<HideSteeringTrace>();
    sim
}

/// A world with all components of the crate, in the middle of a run.
fn world_of_everything() -> Sim {
    let mut rng = TestRng::new(8, 8);
    let any = |rng: &mut TestRng| rng.index(1 << random_behaviors::count()) as u64;
    let plan = Plan {
        seed: 5,
        plane: SteeringPlane::Xy,
        is_mixed: true,
        agents: (0..40).map(|_| any(&mut rng)).collect(),
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
            0 => _ = agent.insert((ThinkEvery(3), SteeringHeight(2.0), WhenIdle::Drag(2.0))),
            1 => {
                let wishes = (Wish::velocity(Vec3::X), Several::new([Wander::default()]));
                let shown = (ShowSteeringGizmos, HideSteeringTrace);
                agent.insert((SteeringTrace::default(), shown, wishes));
            }
            2 => {
                agent.insert((Arbitration::dithered(), KeepRotation, AngularLimits::default()));
            }
            _ => _ = agent.insert((rng.bounds(), SkipIntegration)),
        }
    }
    sim.run(2.0);
    sim
}

/// A world in which the ids of the saved entities are taken.
fn another_world() -> Sim {
    let mut sim = sim();
    for _ in 0..37 {
        sim.spawn(Name::new("other"));
    }
    sim
}

/// The components of `bevy_steer` that can be saved.
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
fn loaded_components_equal_saved_ones() {
    let mut old = world_of_everything();
    let text = save(old.app.world_mut());
    let mut new = another_world();
    let mut entities = load(new.app.world_mut(), &text);
    assert!(entities.iter().all(|(old, new)| old != new), "the ids should differ");
    let (old, new) = (old.app.world(), new.app.world());
    let mut unseen: BTreeSet<&str> = components(old).iter().map(|&(_, path, _)| path).collect();
    // One of the generic ones stands for all.
    unseen.retain(|path| !path.contains("Several<") || path.ends_with("Wander>"));
    for (was, is) in entities.clone() {
        for (_, path, component) in components(old) {
            let saved = component.reflect(old.entity(was));
            let loaded = component.reflect(new.entity(is));
            assert_eq!(saved.is_some(), loaded.is_some(), "{path} of {was}");
            let (Some(saved), Some(loaded)) = (saved, loaded) else { continue };
            let mut saved = saved.reflect_clone().expect("a clone");
            component.map_entities(&mut *saved, &mut entities);
            // Not by equality, which leaves out what behaviours remember.
            assert_eq!(format!("{saved:?}"), format!("{loaded:?}"));
            unseen.remove(path);
        }
    }
    assert!(unseen.is_empty(), "the world should have {unseen:?}");
}

#[test]
fn loaded_world_continues_like_the_saved_one() {
    let mut old = world_of_everything();
    let text = save(old.app.world_mut());
    let mut new = another_world();
    load(new.app.world_mut(), &text);
    for half_second in 0..8 {
        let [old_print, new_print] =
            [&mut old, &mut new].map(|sim| fingerprint::of(sim.app.world_mut()));
        assert_eq!(old_print, new_print, "after {half_second} half seconds");
        for sim in [&mut old, &mut new] {
            // A new agent has the same id in both worlds, and so the same random stream.
            sim.spawn((Vehicle::default(), Wander::default(), ThinkEvery(2)));
            sim.run(0.5);
        }
    }
}

#[test]
fn target_that_was_not_saved_is_lost() {
    let mut old = sim();
    // Not saved, as it has no transform; its id belongs to another entity in the new world.
    let unsaved = old.spawn(Name::new("unsaved"));
    let agent = old.spawn((Vehicle::default(), Seek::new(unsaved)));
    let text = save(old.app.world_mut());
    let mut new = sim();
    let others = (0..9).map(|_| new.spawn(Transform::from_xyz(9.0, 0.0, 0.0)));
    let others: Vec<Entity> = others.collect();
    assert!(others.contains(&unsaved), "an entity of the new world should have the same id");
    let agent = load(new.app.world_mut(), &text)[&agent];
    new.run(0.5);
    assert_eq!(new.position(agent), Vec3::ZERO);
}
