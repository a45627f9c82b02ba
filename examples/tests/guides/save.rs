use bevy::{ecs::entity::EntityHashMap, prelude::*, world_serialization::serde::WorldDeserializer};
use bevy_steer::{AgentId, NextAgentId, SteeringSettings, SteeringTick, prelude::*};
use serde::de::DeserializeSeed;

fn save(world: &mut World) -> Result<String, ron::Error> {
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
}

fn load(world: &mut World, text: &str) -> Result<(), Box<dyn core::error::Error>> {
    let registry = world.resource::<AppTypeRegistry>().clone();
    let mut assets = world.resource::<AssetServer>().clone();
    let seed = WorldDeserializer { type_registry: &registry.read(), load_from_path: &mut assets };
    let scene = seed.deserialize(&mut ron::Deserializer::from_str(text)?)?;
    scene.write_to_world(world, &mut EntityHashMap::default())?;
    Ok(())
}

#[test]
fn a_world_is_saved_and_loaded() {
    let mut worlds = [(); 2].map(|()| {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), SteeringPlugin::default()));
        app
    });
    let [old, new] = &mut worlds;
    let prey = old.world_mut().spawn((Vehicle::default(), Wander::default())).id();
    old.world_mut().spawn((Vehicle::default(), Pursue::new(prey)));
    let text = save(old.world_mut()).unwrap();
    load(new.world_mut(), &text).unwrap();
    let mut pursuers = new.world_mut().query::<(&Pursue, &AgentId)>();
    assert_eq!(pursuers.single(new.world()).unwrap().1.0, 1);
    assert_eq!(new.world().resource::<NextAgentId>().0, 2);
}
