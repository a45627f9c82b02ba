//! Watches a headless run: who overlaps an obstacle, who is stuck, how fast they are, where they go.

use std::collections::{HashMap, VecDeque};

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use super::game::{Hunter, Prey};
use crate::{palette, trails::Trail};

/// Places are noted this often, in ticks: eight times a second.
const NOTE_EVERY: u64 = 8;
/// An agent that has stayed within [`IN_PLACE`] for this many notes (5 s) is stuck.
const STUCK_NOTES: usize = 40;
/// Half the side of a square that is one place, in units: prey just turns round in it.
const IN_PLACE: f32 = 16.0;
/// Trails of this many hunters, and of as many prey, are kept.
const TRAILS: usize = 4;
/// Trails are this many notes long: 20 s.
const TRAIL_NOTES: usize = 160;

/// What was seen.
#[derive(Resource, Default)]
pub(super) struct Watch {
    pub(super) ticks: u64,
    pub(super) agent_ticks: u64,
    pub(super) overlaps: u64,
    pub(super) not_finite: u64,
    pub(super) stuck: u64,
    pub(super) hunters: SpeedSum,
    pub(super) prey: SpeedSum,
    lately: HashMap<Entity, Lately>,
    trails: Vec<(Entity, Trail)>,
}

/// Speeds over agents and ticks.
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

    pub(super) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// Where an agent was in the last seconds, with the world's seams unrolled.
#[derive(Default)]
struct Lately {
    last: Vec3,
    place: Vec3,
    notes: VecDeque<Vec3>,
}

impl Lately {
    /// Notes a place; whether the agent is stuck.
    fn note(&mut self, position: Vec3, bounds: &Bounds) -> bool {
        let step = bounds.shortest(position - self.last);
        self.last = position;
        if step.length() > 4.0 * IN_PLACE {
            // A new life elsewhere.
            self.notes.clear();
        }
        self.place += step;
        self.notes.push_back(self.place);
        if self.notes.len() > STUCK_NOTES {
            self.notes.pop_front();
        }
        let low = self.notes.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = self.notes.iter().copied().reduce(Vec3::max).unwrap_or_default();
        self.notes.len() == STUCK_NOTES && (high - low).max_element() < 2.0 * IN_PLACE
    }
}

impl Watch {
    pub(super) fn trails(&self) -> impl Iterator<Item = &Trail> {
        self.trails.iter().map(|(_, trail)| trail)
    }

    fn follow(&mut self, entity: Entity, is_hunter: bool, place: Vec3) {
        let color = if is_hunter { palette::ORANGE } else { palette::SKY };
        let of_kind = self.trails.iter().filter(|(_, trail)| trail.color == color).count();
        match self.trails.iter_mut().find(|(of, _)| *of == entity) {
            Some((_, trail)) => {
                trail.places.push(place.truncate());
                let old = trail.places.len().saturating_sub(TRAIL_NOTES);
                trail.places.drain(..old);
            }
            None if of_kind < TRAILS => {
                self.trails.push((entity, Trail { color, places: vec![place.truncate()] }));
            }
            None => {}
        }
    }
}

/// Looks at everybody after a tick.
pub(super) fn watch(
    mut watch: ResMut<Watch>,
    agents: Query<
        (Entity, &Transform, &Velocity, &Vehicle, Has<Hunter>),
        Or<(With<Hunter>, With<Prey>)>,
    >,
    stones: Query<(&Transform, &Vehicle), With<Obstacle>>,
    bounds: Res<WorldBounds>,
) {
    let watch = &mut *watch;
    watch.ticks += 1;
    let is_note = watch.ticks.is_multiple_of(NOTE_EVERY);
    for (entity, transform, velocity, vehicle, is_hunter) in &agents {
        let place = transform.translation;
        watch.agent_ticks += 1;
        let finite = transform.is_finite() && velocity.is_finite();
        watch.not_finite += u64::from(!finite);
        let speeds = if is_hunter { &mut watch.hunters } else { &mut watch.prey };
        speeds.add(velocity.length());
        let overlaps = stones.iter().any(|(stone, body)| {
            let offset = bounds.shortest(place - stone.translation);
            offset.length() < body.radius + vehicle.radius
        });
        watch.overlaps += u64::from(overlaps);
        if is_note {
            let lately = watch.lately.entry(entity).or_default();
            watch.stuck += if lately.note(place, &bounds) { NOTE_EVERY } else { 0 };
            watch.follow(entity, is_hunter, place);
        }
    }
}
