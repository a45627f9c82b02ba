//! Who flocks in this tick, and how: agents of equal parameters are of one kind, which the kernel reads once for eight.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use bevy::{math::ops, prelude::*};

use super::Flock;
use crate::{
    agent::unit_heading,
    neighbors::{NeighborIndex, Slot},
    number::AgentNumber,
    plane::SteeringPlane,
    rows::for_each_piece,
    think::ThinkEvery,
    tick::TickRef,
    vector::NEGLIGIBLE,
    vehicle::{Heading, Vehicle, Velocity},
};

/// Instead of a kind: this one does not flock.
pub(super) const NONE: u32 = u32::MAX;

/// What the kernel wants to know of a [`Flock`] and its vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) radius: f32,
    pub(super) radius_squared: f32,
    pub(super) separation_squared: f32,
    /// The square of the distance below which two are in one place. Separation does not grow any more there, and stays finite.
    pub(super) one_place: f32,
    /// One over the separation radius; zero if that is.
    pub(super) per_separation: f32,
    /// Factor on the sum of the shares of separation.
    pub(super) apart: f32,
    /// Factor on the mean velocity of the mates, less the own.
    pub(super) along: f32,
    /// Factor on the mean offset of the mates.
    pub(super) together: f32,
    pub(super) max_neighbors: u32,
    pub(super) layers: u32,
    /// The cosine of half the view angle, unless it sees all round.
    pub(super) least_cos: Option<f32>,
}

impl Kind {
    /// `None` if such a flock sees nobody.
    fn new(flock: &Flock, max_speed: f32) -> Option<Self> {
        let is_blind = flock.radius.is_nan() || flock.radius < 0.0 || flock.max_neighbors == 0;
        if is_blind || !flock.blend.enabled {
            return None;
        }
        let separation_radius = flock.separation_radius.clamp(0.0, flock.radius);
        let one_place = NEGLIGIBLE * separation_radius.max(1.0);
        let per = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
        let half_view = 0.5 * flock.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        Some(Self {
            radius: flock.radius,
            radius_squared: flock.radius * flock.radius,
            separation_squared: separation_radius * separation_radius,
            one_place: one_place * one_place,
            per_separation: per(separation_radius),
            apart: max_speed * flock.separation,
            along: flock.alignment,
            together: max_speed * per(flock.radius) * flock.cohesion,
            max_neighbors: flock.max_neighbors,
            layers: flock.layers.0,
            least_cos: (!sees_all_round).then(|| ops::cos(half_view.max(0.0))),
        })
    }
}

type Key = [u32; 10];

/// What makes agents of one kind.
fn key(flock: &Flock, max_speed: f32) -> Key {
    [
        flock.radius.to_bits(),
        flock.separation_radius.to_bits(),
        flock.view_angle.to_bits(),
        flock.separation.to_bits(),
        flock.alignment.to_bits(),
        flock.cohesion.to_bits(),
        max_speed.to_bits(),
        flock.max_neighbors,
        flock.layers.0,
        u32::from(flock.blend.enabled),
    ]
}

/// Without a call to compare memory, which takes longer than the comparison.
#[inline(always)]
fn are_equal(a: &Key, b: &Key) -> bool {
    a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The kinds of a tick. Their numbers depend on which thread came first, and nothing depends on their numbers.
#[derive(Default)]
pub(super) struct Kinds {
    pub(super) kinds: Vec<Kind>,
    numbers: HashMap<Key, u32>,
    /// By plane: agents that see only a part of the world and stand still, by slot, and where they look.
    pub(super) standing: [Vec<(u32, Vec3)>; SteeringPlane::ALL.len()],
}

impl Kinds {
    fn number_of(&mut self, key: Key, flock: &Flock, max_speed: f32) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| match Kind::new(flock, max_speed) {
            Some(kind) => {
                self.kinds.push(kind);
                self.kinds.len() as u32 - 1
            }
            None => NONE,
        })
    }
}

pub(super) type Flocking = (
    &'static Flock,
    &'static Slot,
    &'static AgentNumber,
    &'static Vehicle,
    (&'static Velocity, &'static Heading, &'static Transform),
    Option<&'static ThinkEvery>,
    Option<&'static SteeringPlane>,
);

/// Marks who flocks in this tick, by slot, with the number of its kind.
pub(super) fn mark(index: &mut NeighborIndex, flocking: &Query<Flocking>, tick: TickRef) -> Kinds {
    for plane in &mut index.planes {
        let slots = plane.len.min(plane.marks.len());
        for mark in &mut plane.marks[..slots] {
            *mark.get_mut() = NONE;
        }
    }
    let marks = index.planes.each_ref().map(|plane| &plane.marks[..plane.len]);
    let kinds = Mutex::new(Kinds::default());
    let Ok(tables) = flocking.contiguous_iter() else { return Kinds::default() };
    let tables = tables.map(|table| {
        let (flocks, slots, numbers, vehicles, moving, thinks, planes) = table;
        (flocks.len(), ((flocks, slots, numbers), vehicles, moving, thinks, planes))
    });
    for_each_piece(tables.collect(), |count, (first, vehicles, moving, thinks, planes)| {
        mark_rows(count, first, vehicles, moving, thinks, planes, (&marks, &kinds), tick);
    });
    let mut kinds = kinds.into_inner().unwrap_or_else(PoisonError::into_inner);
    for standing in &mut kinds.standing {
        standing.sort_unstable_by_key(|&(slot, _)| slot);
    }
    kinds
}

fn mark_rows(
    count: usize,
    (flocks, slots, numbers): (&[Flock], &[Slot], &[AgentNumber]),
    vehicles: &[Vehicle],
    (velocities, headings, transforms): (&[Velocity], &[Heading], &[Transform]),
    thinks: Option<&[ThinkEvery]>,
    planes: Option<&[SteeringPlane]>,
    (marks, kinds): (&[&[AtomicU32]; 3], &Mutex<Kinds>),
    tick: TickRef,
) {
    let mut last: Option<(Key, u32, bool)> = None;
    for row in 0..count {
        if thinks.is_some_and(|thinks| !thinks[row].is_due(numbers[row], tick.count)) {
            continue;
        }
        let (flock, max_speed) = (&flocks[row], vehicles[row].max_speed);
        let own = key(flock, max_speed);
        let plane = planes.map_or(tick.settings.plane, |planes| planes[row]);
        let slot = slots[row].get();
        let (kind, sees_all_round) = match last {
            Some((key, kind, all_round)) if are_equal(&key, &own) => (kind, all_round),
            _ => {
                let mut kinds = kinds.lock().unwrap_or_else(PoisonError::into_inner);
                let kind = kinds.number_of(own, flock, max_speed);
                let all_round =
                    kinds.kinds.get(kind as usize).is_none_or(|kind| kind.least_cos.is_none());
                last = Some((own, kind, all_round));
                (kind, all_round)
            }
        };
        if let Some(mark) = marks[plane as usize].get(slot) {
            mark.store(kind, Relaxed);
        }
        if !sees_all_round && plane.flatten(velocities[row].0).length() <= NEGLIGIBLE {
            let heading = unit_heading(plane, headings[row].0, transforms[row].rotation);
            let mut kinds = kinds.lock().unwrap_or_else(PoisonError::into_inner);
            kinds.standing[plane as usize].push((slot as u32, heading));
        }
    }
}
