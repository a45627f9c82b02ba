//! Scenarios in which a physics engine moves the agents, compared with the same without bodies.

mod avian;
mod rapier;

use bevy::prelude::*;
use bevy_steer::{ObstacleShape, Velocity, prelude::*};
use clap::ValueEnum;

use super::{
    headless::{play_perturbed, steering},
    outcome::Outcome,
    scenario::Scenario,
};

/// A physics engine.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `avian2d`.
    Avian,
    /// `bevy_rapier2d`.
    Rapier,
}

/// A scenario played without bodies and with them.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The scenario.
    pub scenario: &'static Scenario,
    /// Without bodies.
    pub plain: Outcome,
    /// With dynamic bodies.
    pub bodies: Outcome,
}

impl Compared {
    /// Plays a scenario both ways. `None` if it is not in the plane of the engine.
    pub fn play(scenario: &'static Scenario, engine: Engine, perturbed: u64) -> Option<Self> {
        let bodies = match engine {
            Engine::Avian => bodies::<avian::Avian>,
            Engine::Rapier => bodies::<rapier::Rapier>,
        };
        (scenario.plane == SteeringPlane::Xy).then(|| Self {
            scenario,
            plain: play_perturbed(scenario, steering, perturbed),
            bodies: play_perturbed(scenario, bodies, perturbed),
        })
    }
}

/// What an engine gives to the agents and obstacles of a scenario.
trait Bodies: 'static {
    type Body: Component;
    type Collider: Component;
    /// The body of what stands still.
    const FIXED: Self::Body;

    /// Adds the engine, without gravity.
    fn add(app: &mut App);

    /// The body of an agent. Obstacles that move are not pushed away.
    fn agent(vehicle: &Vehicle, is_obstacle: bool, velocity: Vec2) -> impl Bundle;

    fn collider(shape: ObstacleShape) -> Self::Collider;
}

/// Moves the agents by dynamic bodies; obstacles and walls have bodies too.
fn bodies<E: Bodies>(app: &mut App, plane: SteeringPlane) {
    app.add_plugins((TransformPlugin, SteeringPlugin::default().with_plane(plane)));
    E::add(app);
    app.add_systems(FixedFirst, (give_bodies::<E>, give_colliders::<E>));
}

fn give_bodies<E: Bodies>(
    mut commands: Commands,
    agents: Query<(Entity, &Vehicle, Has<Obstacle>, &Velocity), Without<E::Body>>,
) {
    for (agent, vehicle, is_obstacle, velocity) in &agents {
        let body = E::agent(vehicle, is_obstacle, velocity.0.truncate());
        commands.entity(agent).insert(body);
    }
}

type Still<E> = (Without<Vehicle>, Without<<E as Bodies>::Collider>);

fn give_colliders<E: Bodies>(
    mut commands: Commands,
    obstacles: Query<(Entity, &Obstacle), Still<E>>,
    walls: Query<(Entity, &Wall), Still<E>>,
) {
    let obstacles = obstacles.iter().map(|(entity, obstacle)| (entity, obstacle.shape));
    let walls = walls.iter().map(|(entity, wall)| {
        let [start, end] = wall.ends(SteeringPlane::Xy);
        (entity, ObstacleShape::Segment { start, end })
    });
    for (entity, shape) in obstacles.chain(walls) {
        commands.entity(entity).insert((E::FIXED, E::collider(shape)));
    }
}
