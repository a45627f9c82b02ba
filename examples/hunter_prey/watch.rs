//! Statistics of a headless run: overlaps, stuck agents, speeds and trails.

use std::collections::{HashMap, VecDeque};

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::{
    game::{ARENA, Hunter, Prey},
    rules::chases,
};
use crate::{palette, trails::Trail};

/// Ticks between two samples of an agent's position: eight samples a second.
const SAMPLE_EVERY: u64 = 8;
/// An agent that stays within [`IN_PLACE`] for this many samples (5 s) is stuck.
const STUCK_SAMPLES: usize = 40;
/// Half the side of a square that counts as one place, in units: prey can just turn around in it.
const IN_PLACE: f32 = 16.0;
/// Prey nearer to the arena's edge than this is at the edge, in units: two radii.
const EDGE: f32 = 2.0 * Prey::RADIUS;
/// The number of hunters, and of prey, with a trail.
const TRAILS: usize = 4;
/// The length of a trail, in samples: 20 s.
const TRAIL_SAMPLES: usize = 160;

/// Statistics since the start of the run.
#[derive(Resource, Default)]
pub(super) struct Watch {
    pub(super) ticks: u64,
    pub(super) agent_ticks: u64,
    pub(super) overlaps: u64,
    pub(super) not_finite: u64,
    pub(super) stuck: u64,
    /// Of prey.
    pub(super) at_edge: u64,
    /// Ticks in which no hunter chases.
    pub(super) nobody_chases: u64,
    /// Ticks in which all hunters chase.
    pub(super) all_chase: u64,
    pub(super) hunters: SpeedSum,
    pub(super) prey: SpeedSum,
    recent: HashMap<Entity, RecentPositions>,
    trails: Vec<(Entity, Trail)>,
}

/// The sum of speeds over agents and ticks.
#[derive(Default)]
pub(super) struct SpeedSum {
    sum: f64,
    count: u64,
}

impl SpeedSum {
    fn add(&mut self, speed: f32) {
        self.sum += f64::from(speed);
        self.count += 1;
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// An agent's positions in the last seconds, continued across wrapping edges.
#[derive(Default)]
struct RecentPositions {
    last: Vec3,
    unwrapped: Vec3,
    samples: VecDeque<Vec3>,
}

impl RecentPositions {
    /// Adds a sample. Returns whether the agent is stuck.
    fn add(&mut self, position: Vec3, bounds: &Bounds) -> bool {
        let step = bounds.shortest(position - self.last);
        self.last = position;
        if step.length() > 4.0 * IN_PLACE {
            // Caught prey starts again elsewhere.
            self.samples.clear();
        }
        self.unwrapped += step;
        self.samples.push_back(self.unwrapped);
        if self.samples.len() > STUCK_SAMPLES {
            self.samples.pop_front();
        }
        let low = self.samples.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = self.samples.iter().copied().reduce(Vec3::max).unwrap_or_default();
        self.samples.len() == STUCK_SAMPLES && (high - low).max_element() < 2.0 * IN_PLACE
    }
}

impl Watch {
    pub(super) fn trails(&self) -> impl Iterator<Item = &Trail> {
        self.trails.iter().map(|(_, trail)| trail)
    }

    fn extend_trail(&mut self, entity: Entity, is_hunter: bool, position: Vec3) {
        let color = if is_hunter { palette::ORANGE } else { palette::SKY };
        let of_kind = self.trails.iter().filter(|(_, trail)| trail.color == color).count();
        match self.trails.iter_mut().find(|(of, _)| *of == entity) {
            Some((_, trail)) => {
                trail.positions.push(position.truncate());
                let old = trail.positions.len().saturating_sub(TRAIL_SAMPLES);
                trail.positions.drain(..old);
            }
            None if of_kind < TRAILS => {
                self.trails.push((entity, Trail { color, positions: vec![position.truncate()] }));
            }
            None => {}
        }
    }
}

/// Updates the statistics after a tick.
pub(super) fn watch(
    mut watch: ResMut<Watch>,
    agents: Query<
        (Entity, &Transform, &Velocity, &Vehicle, Has<Hunter>),
        Or<(With<Hunter>, With<Prey>)>,
    >,
    pursuits: Query<&Pursue, With<Hunter>>,
    obstacles: Query<(&Transform, &Vehicle), With<Obstacle>>,
    bounds: Res<WorldBounds>,
) {
    let watch = &mut *watch;
    watch.ticks += 1;
    watch.nobody_chases += u64::from(!pursuits.iter().any(chases));
    watch.all_chase += u64::from(pursuits.iter().all(chases));
    let is_sample = watch.ticks.is_multiple_of(SAMPLE_EVERY);
    for (entity, transform, velocity, vehicle, is_hunter) in &agents {
        let position = transform.translation;
        watch.agent_ticks += 1;
        let finite = transform.is_finite() && velocity.is_finite();
        watch.not_finite += u64::from(!finite);
        let speeds = if is_hunter { &mut watch.hunters } else { &mut watch.prey };
        speeds.add(velocity.length());
        let from_edge = (ARENA - position.truncate().abs()).min_element();
        watch.at_edge += u64::from(!is_hunter && from_edge < EDGE);
        let overlaps = obstacles.iter().any(|(obstacle, body)| {
            let offset = bounds.shortest(position - obstacle.translation);
            offset.length() < body.radius + vehicle.radius
        });
        watch.overlaps += u64::from(overlaps);
        if is_sample {
            let recent = watch.recent.entry(entity).or_default();
            watch.stuck += if recent.add(position, &bounds) { SAMPLE_EVERY } else { 0 };
            watch.extend_trail(entity, is_hunter, position);
        }
    }
}
