//! A world in which agents are spawned and despawned all the time.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::{Path, SteeringDiagnosticsPlugin, SteeringTrace, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::options::Options;

/// Half a side of the world, in units.
const HALF_SIDE: f32 = 60.0;
/// The layer of agents that others pursue.
const PREY: SteeringLayers = SteeringLayers::layer(1);

/// The entities, oldest first, and what is needed to spawn more.
#[derive(Resource)]
struct Churn {
    rng: Pcg32,
    entities: VecDeque<Entity>,
    max_entities: usize,
    births_per_second: f64,
    /// Number of entities to spawn, with the fraction that is left for the next tick.
    due: f64,
    path: Path,
}

/// Adds steering, and spawns and despawns agents of all kinds.
pub(super) struct ChurnPlugin {
    pub(super) options: Options,
}

impl Plugin for ChurnPlugin {
    fn build(&self, app: &mut App) {
        let Options { agents, births, seed, .. } = self.options;
        let half = Vec2::splat(HALF_SIDE);
        app.add_plugins((SteeringPlugin::default().with_seed(seed), SteeringDiagnosticsPlugin))
            .insert_resource(WorldBounds(Bounds::rect(-half, half, BoundsEdge::Wrap)))
            .insert_resource(Churn {
                rng: Pcg32::new(seed, 11),
                entities: VecDeque::new(),
                max_entities: agents as usize,
                births_per_second: births,
                due: f64::from(agents),
                path: Path::new([Vec2::ZERO, Vec2::X * 30.0, Vec2::splat(30.0), Vec2::Y * 30.0]),
            })
            .add_systems(FixedPreUpdate, spawn_and_despawn);
    }
}

/// Spawns the entities that are due; each one replaces the oldest.
fn spawn_and_despawn(mut commands: Commands, mut churn: ResMut<Churn>, time: Res<Time>) {
    let churn = &mut *churn;
    churn.due += churn.births_per_second * time.delta_secs_f64();
    while churn.due >= 1.0 {
        churn.due -= 1.0;
        let entity = churn.spawn_one(&mut commands);
        churn.entities.push_back(entity);
        if churn.entities.len() > churn.max_entities
            && let Some(oldest) = churn.entities.pop_front()
        {
            commands.entity(oldest).despawn();
        }
    }
}

impl Churn {
    fn random_place(&mut self) -> Transform {
        let mut coordinate = || (self.rng.random::<f32>() - 0.5) * 2.0 * HALF_SIDE;
        Transform::from_xyz(coordinate(), coordinate(), 0.0)
    }

    /// An entity that will soon be despawned.
    fn random_target(&mut self) -> Target {
        match self.entities.len() {
            0 => Target::from(Vec3::ZERO),
            count => Target::Entity(self.entities[self.rng.random_range(0..count)]),
        }
    }

    fn spawn_one(&mut self, commands: &mut Commands) -> Entity {
        let kind = self.rng.random_range(0..16_u32);
        let (place, target) = (self.random_place(), self.random_target());
        let mut entity = commands.spawn((Vehicle::default(), place));
        match kind {
            0..5 => entity.insert((
                Flock::new(6.0),
                Wander::default(),
                AvoidAgents::default(),
                AvoidObstacles::default(),
                PREY,
            )),
            5..8 => entity.insert((Seek::new(target), Evade::new(target).within(5.0))),
            8..10 => {
                entity.insert((Pursue::new(Target::nearest(PREY, 20.0)), Arbitration::dithered()))
            }
            10..12 => entity.insert((
                PathFollow::new(self.path.clone()).along_corridor(1.0, 0.4).with_end(PathEnd::Loop),
                AvoidWalls::default(),
                ThinkEvery(4),
            )),
            12 => entity.insert((Arrive::new(target), Face::new(target), SteeringTrace::default())),
            13 => entity.insert((Obstacle::sphere(1.0), Velocity(Vec3::X))),
            14 => entity.insert(Wall::new(Vec2::ZERO, Vec2::X * 5.0)),
            // Invalid input, which is logged and left out.
            _ => entity.insert((Vehicle { mass: 0.0, ..default() }, Wander::default())),
        };
        entity.id()
    }
}
