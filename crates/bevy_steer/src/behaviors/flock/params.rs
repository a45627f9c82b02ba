//! Who flocks in this tick, and how: agents of equal parameters are of one kind, which the kernel reads once for eight.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        tick_context::TickRef,
    },
    behaviors::flock::{
        Flock,
        uniform::{Key, are_equal, key},
    },
    ecs::parallel::for_each_piece,
    neighbors::{NeighborIndex, PlaneIndex},
    space::{
        plane::{SteeringPlane, unit_heading},
        vector::NEGLIGIBLE,
    },
};

/// Instead of a kind: this one does not flock.
pub(super) const NONE: u32 = u32::MAX;

/// What the kernel wants to know of a [`Flock`] and its vehicle.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlockParams {
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

impl FlockParams {
    /// `None` if such a flock sees nobody.
    fn new(flock: &Flock, max_speed: f32) -> Option<Self> {
        let is_blind = flock.radius.is_nan() || flock.radius < 0.0 || flock.max_neighbors == 0;
        if is_blind || !flock.blend.enabled {
            return None;
        }
        let separation_radius = flock.separation_radius.clamp(0.0, flock.radius);
        let one_place = NEGLIGIBLE * separation_radius.max(1.0);
        let one_place = one_place * one_place;
        let per = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
        let half_view = 0.5 * flock.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        Some(Self {
            radius: flock.radius,
            radius_squared: flock.radius * flock.radius,
            // So that who is in the very place has a share that is not nothing.
            separation_squared: (separation_radius * separation_radius).max(4.0 * one_place),
            one_place,
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

/// The kinds of a tick. Their numbers depend on which thread came first, and nothing depends on their numbers.
#[derive(Default)]
pub(super) struct ParamTable {
    pub(super) kinds: Vec<FlockParams>,
    /// Whether everybody in the index flocks in this tick, in the first and only kind. There are no marks then.
    pub(super) is_everybody: bool,
    numbers: HashMap<Key, u32>,
    /// By plane: agents that see only a part of the world and stand still, by entry, and where they look.
    pub(super) standing: [Vec<(u32, Vec3)>; SteeringPlane::ALL.len()],
}

impl ParamTable {
    fn number_of(&mut self, key: Key, flock: &Flock, max_speed: f32) -> u32 {
        *self.numbers.entry(key).or_insert_with(|| match FlockParams::new(flock, max_speed) {
            Some(kind) => {
                self.kinds.push(kind);
                self.kinds.len() as u32 - 1
            }
            None => NONE,
        })
    }
}

pub(super) type Flocking = (AgentData, &'static Flock);

/// Columns of flocking agents.
type FlockColumns<'a> = (AgentColumns<'a>, &'a [Flock]);

/// Finds out who flocks in this tick, and marks their entries with the numbers of their kinds. `alike` is how they flock if all
/// do it in one way.
pub(super) fn mark(
    index: &NeighborIndex,
    flocking: &Query<Flocking>,
    alike: Option<Flock>,
    tick: TickRef,
) -> ParamTable {
    let Ok(tables) = flocking.contiguous_iter() else { return ParamTable::default() };
    let tables =
        tables.map(|(agents, flocks)| (flocks.len(), (AgentColumns::from(agents), flocks)));
    let tables: Vec<_> = tables.collect();
    if let Some(kind) = alike.and_then(|flock| only_kind(flock, &tables, index)) {
        let is_everybody = tables.iter().all(|(_, (agents, _))| agents.think_always());
        if !is_everybody {
            mark_due(index, tables, tick);
        }
        return ParamTable { kinds: vec![kind], is_everybody, ..default() };
    }
    mark_all(index, tables, tick)
}

/// If all that there are flock in one way, as is most often so: how.
fn only_kind(
    flock: Flock,
    tables: &[(usize, FlockColumns)],
    index: &NeighborIndex,
) -> Option<FlockParams> {
    let kind =
        FlockParams::new(&flock, index.top_speed?).filter(|kind| kind.least_cos.is_none())?;
    let flocking: usize = tables.iter().map(|(count, _)| count).sum();
    let is_everybody =
        flocking == index.entries && tables.iter().all(|(_, (agents, _))| agents.share_plane());
    is_everybody.then_some(kind)
}

/// ChangeMarks whose turn it is to think, where there is but one kind.
fn mark_due(index: &NeighborIndex, tables: Vec<(usize, FlockColumns)>, tick: TickRef) {
    let plane = tick.settings.plane;
    let index = &index.planes[plane as usize];
    forget(index, plane);
    for_each_piece(tables, |_, (agents, _)| {
        for row in (0..agents.len()).filter(|&row| agents.is_due(row, tick.count)) {
            if let Some(note) = note(index, plane, agents.entry(row)) {
                note.store(0, Relaxed);
            }
        }
    });
}

/// Nobody flocks.
fn forget(index: &PlaneIndex, plane: SteeringPlane) {
    let (cells, stride) = cells(index, plane);
    cells.iter().step_by(stride).for_each(|note| note.store(NONE, Relaxed));
}

fn mark_all(
    index: &NeighborIndex,
    tables: Vec<(usize, FlockColumns)>,
    tick: TickRef,
) -> ParamTable {
    for plane in SteeringPlane::ALL {
        forget(&index.planes[plane as usize], plane);
    }
    let kinds = Mutex::new(ParamTable::default());
    for_each_piece(tables, |_, rows| mark_rows(rows, index, &kinds, tick));
    let mut kinds = kinds.into_inner().unwrap_or_else(PoisonError::into_inner);
    for standing in &mut kinds.standing {
        standing.sort_unstable_by_key(|&(entry, _)| entry);
    }
    kinds
}

/// Where the kind of an entry is noted until its wish is put there.
#[inline(always)]
fn note(index: &PlaneIndex, plane: SteeringPlane, entry: usize) -> Option<&AtomicU32> {
    let slot = index.slots.get(entry)?.load(Relaxed) as usize;
    let (cells, stride) = cells(index, plane);
    cells.get(slot * stride)
}

/// The numbers of the wishes, and how many of them a wish has.
#[inline(always)]
fn cells(index: &PlaneIndex, plane: SteeringPlane) -> (&[AtomicU32], usize) {
    if plane.is_planar() {
        (index.vectors::<2>()[0].as_flattened(), 2)
    } else {
        (index.vectors::<3>()[0].as_flattened(), 3)
    }
}

fn mark_rows(
    (agents, flocks): FlockColumns,
    index: &NeighborIndex,
    kinds: &Mutex<ParamTable>,
    tick: TickRef,
) {
    let mut last: Option<(Key, u32, bool)> = None;
    for (row, flock) in flocks.iter().enumerate() {
        if !agents.is_due(row, tick.count) {
            continue;
        }
        let parts = agents.row::<false>(row);
        let max_speed = parts.vehicle.max_speed;
        let own = key(flock, max_speed);
        let plane = parts.plane(tick);
        let entry = parts.entry.get();
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
        if let Some(note) = note(&index.planes[plane as usize], plane, entry) {
            note.store(kind, Relaxed);
        }
        if !sees_all_round && plane.flatten(parts.velocity).length() <= NEGLIGIBLE {
            let heading = unit_heading(plane, parts.heading, parts.transform.rotation);
            let mut kinds = kinds.lock().unwrap_or_else(PoisonError::into_inner);
            kinds.standing[plane as usize].push((entry as u32, heading));
        }
    }
}
