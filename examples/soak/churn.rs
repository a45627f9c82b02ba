//! A world whose inhabitants come and go.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_steer::{Path, SteeringDiagnosticsPlugin, SteeringTrace, Velocity, prelude::*};
use rand::RngExt;
use rand_pcg::Pcg32;

use super::options::Options;

/// Half a side of the world, in units.
const HALF: f32 = 60.0;
/// Those that are the target of others.
const QUARRY: SteeringLayers = SteeringLayers::layer(1);

/// Who lives, the eldest first, and who is still to be born.
#[derive(Resource)]
struct Churn {
    dice: Pcg32,
    living: VecDeque<Entity>,
    most: usize,
    births_per_second: f64,
    due: f64,
    path: Path,
}

/// Fills an app with inhabitants of all kinds, and goes on doing so.
pub(super) struct ChurnPlugin {
    pub(super) options: Options,
}

impl Plugin for ChurnPlugin {
    fn build(&self, app: &mut App) {
        let Options { agents, births, seed, .. } = self.options;
        let half = Vec2::splat(HALF);
        app.add_plugins((SteeringPlugin::default().with_seed(seed), SteeringDiagnosticsPlugin))
            .insert_resource(WorldBounds(Bounds::rect(-half, half, BoundsEdge::Wrap)))
            .insert_resource(Churn {
                dice: Pcg32::new(seed, 11),
                living: VecDeque::new(),
                most: agents as usize,
                births_per_second: births,
                due: f64::from(agents),
                path: Path::new([Vec2::ZERO, Vec2::X * 30.0, Vec2::splat(30.0), Vec2::Y * 30.0]),
            })
            .add_systems(FixedPreUpdate, give_birth);
    }
}

/// Everybody who is born takes the place of the eldest.
fn give_birth(mut commands: Commands, mut churn: ResMut<Churn>, time: Res<Time>) {
    let churn = &mut *churn;
    churn.due += churn.births_per_second * time.delta_secs_f64();
    while churn.due >= 1.0 {
        churn.due -= 1.0;
        let newborn = churn.spawn_somebody(&mut commands);
        churn.living.push_back(newborn);
        if churn.living.len() > churn.most
            && let Some(eldest) = churn.living.pop_front()
        {
            commands.entity(eldest).despawn();
        }
    }
}

impl Churn {
    fn place(&mut self) -> Transform {
        let mut number = || (self.dice.random::<f32>() - 0.5) * 2.0 * HALF;
        Transform::from_xyz(number(), number(), 0.0)
    }

    /// One of the living, who will be gone before long.
    fn somebody(&mut self) -> Target {
        match self.living.len() {
            0 => Target::Point(Vec3::ZERO),
            count => Target::Entity(self.living[self.dice.random_range(0..count)]),
        }
    }

    fn spawn_somebody(&mut self, commands: &mut Commands) -> Entity {
        let kind = self.dice.random_range(0..16_u32);
        let (place, somebody) = (self.place(), self.somebody());
        let mut newborn = commands.spawn((Vehicle::default(), place));
        match kind {
            0..5 => newborn.insert((
                Flock::new(6.0),
                Wander::default(),
                AvoidAgents::default(),
                AvoidObstacles::default(),
                QUARRY,
            )),
            5..8 => newborn.insert((Seek::new(somebody), Evade::new(somebody).within(5.0))),
            8..10 => newborn
                .insert((Pursue::new(Target::nearest(QUARRY, 20.0)), Arbitration::dithered())),
            10..12 => newborn.insert((
                PathFollow::new(self.path.clone()).along_corridor(1.0, 0.4).with_end(PathEnd::Loop),
                AvoidWalls::default(),
                ThinkEvery(4),
            )),
            12 => newborn.insert((
                Arrive::new(somebody),
                Face::new(somebody),
                SteeringTrace::default(),
            )),
            13 => newborn.insert((Obstacle::sphere(1.0), Velocity(Vec3::X))),
            14 => newborn.insert(Wall::new(Vec2::ZERO, Vec2::X * 5.0)),
            // Makes no sense: is named in the log, and stays.
            _ => newborn.insert((Vehicle { mass: 0.0, ..default() }, Wander::default())),
        };
        newborn.id()
    }
}
