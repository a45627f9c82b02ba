//! The stage: one scene at a time, without anything to see. Tests run it as it is.

use bevy::{ecs::system::IntoSystem, prelude::*};
use bevy_steer::{NextAgentId, SteeringSettings, SteeringTick, prelude::*};

use super::{goal, scene::Scene};

/// Half the width and height of flat scenes, in units (pixels of a window of the usual size).
pub const ARENA: Vec2 = Vec2::new(500.0, 300.0);
/// Half the width and depth of scenes on the ground, in units (metres).
pub const GROUND: Vec2 = Vec2::new(16.0, 10.0);
/// Half the size of the tank in free space, in units (metres).
pub const TANK: Vec3 = Vec3::new(13.0, 7.0, 8.0);

/// The scene that is shown.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Current(pub &'static Scene);

/// Seconds since the scene began.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct SceneClock(pub f32);

/// Whatever a scene put there.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct OfScene;

/// Steering, and one scene.
#[derive(Debug)]
pub struct StagePlugin {
    /// The scene to begin with.
    pub scene: &'static Scene,
}

impl Plugin for StagePlugin {
    fn build(&self, app: &mut App) {
        let scene = self.scene;
        app.add_plugins(SteeringPlugin::default().with_seed(3))
            .insert_resource(Current(scene))
            .init_resource::<SceneClock>()
            .add_systems(Startup, move |world: &mut World| show(world, scene))
            .add_systems(
                SteeringSchedule,
                (count_time, goal::move_goals, tick_scene).chain().in_set(SteeringSystems::Decide),
            );
        super::scenes::register(app);
    }
}

/// Shows a scene from its beginning, instead of whatever was there.
pub fn show(world: &mut World, scene: &'static Scene) {
    // Somebody may have been added by hand.
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
    world.insert_resource(Current(scene));
    world.resource_mut::<SteeringSettings>().plane = scene.view.plane();
    let mut fixed = world.resource_mut::<Time<Fixed>>();
    let overstep = fixed.overstep();
    fixed.discard_overstep(overstep);
    (scene.spawn)(world);
}

fn count_time(mut clock: ResMut<SceneClock>, time: Res<Time>) {
    clock.0 += time.delta_secs();
}

fn tick_scene(world: &mut World) {
    let Current(scene) = *world.resource::<Current>();
    if let Some(tick) = scene.tick {
        tick(world);
    }
}

/// Puts somebody into the scene.
pub(super) fn put(world: &mut World, bundle: impl Bundle) -> Entity {
    world.spawn((OfScene, bundle)).id()
}

/// Runs a system, once.
pub(super) fn run<M>(world: &mut World, system: impl IntoSystem<(), (), M> + 'static) {
    if let Err(error) = world.run_system_cached(system) {
        error!("{error}");
    }
}

/// What happens at the edges of a flat scene.
pub(super) fn edges(world: &mut World, edge: BoundsEdge) {
    world.insert_resource(WorldBounds(Bounds::rect(-ARENA, ARENA, edge)));
}

/// A transform at a flat place.
pub(super) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
