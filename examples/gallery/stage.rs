//! The stage runs one scene at a time, without a window; tests run it as it is.

use bevy::{ecs::system::IntoSystem, prelude::*};
use bevy_steer::{AgentId, NextAgentId, SteeringSettings, SteeringTick, prelude::*};

use super::{
    goal, hunt,
    look::{Look, Shape},
    scene::Scene,
};

/// Half the width and height of flat scenes, in units (pixels of a window of the default size).
pub const ARENA: Vec2 = Vec2::new(500.0, 300.0);
/// Half the width and depth of scenes on the ground, in units (metres).
pub const GROUND: Vec2 = Vec2::new(16.0, 10.0);
/// Half the size of the tank in free space, in units (metres).
pub const TANK: Vec3 = Vec3::new(13.0, 7.0, 8.0);

/// The scene that is shown.
#[derive(Resource, Clone, Copy, Debug)]
pub struct CurrentScene(pub &'static Scene);

/// Seconds since the scene began.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct SceneClock(pub f32);

/// Marks the entities of the scene.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct OfScene;

/// Adds steering and a scene.
#[derive(Debug)]
pub struct StagePlugin {
    /// The first scene.
    pub scene: &'static Scene,
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        let scene = self.scene;
        app.add_plugins(SteeringPlugin::default().with_seed(3))
            .insert_resource(CurrentScene(scene))
            .init_resource::<SceneClock>()
            .add_systems(Startup, move |world: &mut World| show(world, scene))
            .add_systems(
                SteeringSchedule,
                (advance_clock, goal::move_goals, hunt::choose_victims, tick_scene)
                    .chain()
                    .in_set(SteeringSystems::Decide),
            );
        super::scenes::register(app);
    }
}

/// Replaces the current scene with the beginning of this one.
pub fn show(world: &mut World, scene: &'static Scene) {
    // The inspector may have added agents without `OfScene`.
    let mut old = world
        .query_filtered::<Entity, Or<(With<OfScene>, With<Vehicle>, With<Obstacle>, With<Wall>)>>();
    let old: Vec<Entity> = old.iter(world).collect();
    for entity in old {
        world.despawn(entity);
    }
    world.insert_resource(NextAgentId::default());
    world.insert_resource(SteeringTick::default());
    world.insert_resource(WorldBounds::default());
    world.insert_resource(SceneClock::default());
    world.insert_resource(CurrentScene(scene));
    world.resource_mut::<SteeringSettings>().plane = scene.view.plane();
    let mut fixed = world.resource_mut::<Time<Fixed>>();
    let overstep = fixed.overstep();
    fixed.discard_overstep(overstep);
    (scene.spawn)(world);
}

fn advance_clock(mut clock: ResMut<SceneClock>, time: Res<Time>) {
    clock.0 += time.delta_secs();
}

fn tick_scene(world: &mut World) {
    let CurrentScene(scene) = *world.resource::<CurrentScene>();
    if let Some(tick) = scene.tick {
        tick(world);
    }
}

/// Spawns an entity of the scene. What moves gets a name for the panel, such as "Fish 3".
pub(super) fn put(world: &mut World, bundle: impl Bundle) -> Entity {
    let mut entity = world.spawn((OfScene, bundle));
    if let Some(id) = entity.get::<AgentId>() {
        let kind = match entity.get::<Look>().map(|look| look.shape) {
            Some(Shape::Agent(silhouette)) => format!("{silhouette:?}"),
            _ => "Stone".into(),
        };
        let name = Name::new(format!("{kind} {}", id.0 + 1));
        entity.insert(name);
    }
    entity.id()
}

/// Runs a system once.
pub(super) fn run<M>(world: &mut World, system: impl IntoSystem<(), (), M> + 'static) {
    if let Err(error) = world.run_system_cached(system) {
        error!("A system of the scene failed: {error}");
    }
}

/// Sets the edges of a flat scene.
pub(super) fn edges(world: &mut World, edge: BoundsEdge) {
    world.insert_resource(WorldBounds(Bounds::rect(-ARENA, ARENA, edge)));
}

/// A transform at a position in the `Xy` plane.
pub(super) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
