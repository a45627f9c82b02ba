//! Which agents flock in a tick, and the parameters and other data that the kernels read. Agents
//! with equal parameters share a set.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use bevy::{math::ops, prelude::*};

use crate::{
    agent::{AgentColumns, AgentData, HeightSpan, SteeringLayers, TickRef, Vehicle},
    behaviors::flock::component::{Flock, coincident_distance},
    ecs::for_each_piece,
    neighbors::{EntryKind, NeighborIndex, PlaneIndex},
    simd::Lanes,
    space::{NEGLIGIBLE, SteeringPlane, direction},
};

/// Instead of the index of a set: this agent does not flock.
pub(super) const NONE: u32 = u32::MAX;

/// The parameters of a [`Flock`] and its vehicle, as the kernel needs them.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlockParams {
    pub radius: f32,
    pub radius_squared: f32,
    pub separation_squared: f32,
    /// The square of the distance below which two agents are in one place. Separation does not grow
    /// any more there, and stays finite.
    pub coincident_squared: f32,
    /// One over the separation radius; zero if that is.
    pub per_separation: f32,
    /// Factor on the sum of separations.
    pub separation: f32,
    /// Factor on the mean velocity of the neighbours, minus the own.
    pub alignment: f32,
    /// Factor on the mean offset of the neighbours.
    pub cohesion: f32,
    pub max_neighbors: u32,
    pub layers: u32,
    /// The cosine of half the view angle; `None` if it sees all round.
    pub min_cos: Option<f32>,
}

impl FlockParams {
    /// `None` if such a flock is disabled or sees nothing. `own` are the agent's layers.
    fn new(flock: &Flock, vehicle: &Vehicle, own: SteeringLayers) -> Option<Self> {
        let (radius, max_speed) = (flock.radius.in_units(vehicle), vehicle.max_speed);
        let is_blind = radius.is_nan() || radius < 0.0 || flock.max_neighbors == 0;
        if is_blind || !flock.blend.enabled {
            return None;
        }
        let separation_radius = flock.separation_radius.in_units(vehicle).clamp(0.0, radius);
        let coincident = coincident_distance(separation_radius);
        let coincident_squared = coincident * coincident;
        let per = |length: f32| if length > 0.0 { 1.0 / length } else { 0.0 };
        let half_view = 0.5 * flock.view_angle;
        let sees_all_round = half_view.is_nan() || half_view >= core::f32::consts::PI;
        Some(Self {
            radius,
            radius_squared: radius * radius,
            // So that the factor of a coincident neighbour is not zero.
            separation_squared: (separation_radius * separation_radius)
                .max(4.0 * coincident_squared),
            coincident_squared,
            per_separation: per(separation_radius),
            separation: max_speed * flock.separation,
            alignment: flock.alignment,
            cohesion: max_speed * per(radius) * flock.cohesion,
            max_neighbors: flock.max_neighbors,
            layers: flock.layers.unwrap_or(own).0,
            min_cos: (!sees_all_round).then(|| ops::cos(half_view.max(0.0))),
        })
    }
}

/// All of a flock and its vehicle that makes a difference to the kernel, as bits.
type ParamKey = [u32; 11];

/// `layers` are those of the neighbours; `None` is a key too, for agents that share their layers.
#[inline(always)]
fn param_key(flock: &Flock, vehicle: &Vehicle, layers: Option<SteeringLayers>) -> ParamKey {
    [
        flock.radius.in_units(vehicle).to_bits(),
        flock.separation_radius.in_units(vehicle).to_bits(),
        flock.view_angle.to_bits(),
        flock.separation.to_bits(),
        flock.alignment.to_bits(),
        flock.cohesion.to_bits(),
        vehicle.max_speed.to_bits(),
        flock.max_neighbors,
        u32::from(layers.is_some()),
        layers.map_or(0, |layers| layers.0),
        u32::from(flock.blend.enabled),
    ]
}

/// The parameters of all flocks in a tick. The order of the sets depends on threads, and nothing
/// depends on their order.
#[derive(Default)]
pub(super) struct ParamTable {
    pub sets: Vec<FlockParams>,
    /// Whether every agent in the index flocks in this tick by the only set. Slots have no marks
    /// then.
    pub is_uniform: bool,
    /// The index of the set for each key, or [`NONE`].
    indices: HashMap<ParamKey, u32>,
    /// By plane: the entries of agents that do not see all round and stand still, and where they
    /// look.
    pub standing: [Vec<(u32, Vec3)>; SteeringPlane::ALL.len()],
}

pub(super) type Flocking = (AgentData, &'static Flock);

/// Columns of flocking agents.
type FlockColumns<'a> = (AgentColumns<'a>, &'a [Flock]);

/// Finds the parameters of all agents that flock in this tick, and marks their slots with them.
pub(super) fn mark(index: &NeighborIndex, flocking: &Query<Flocking>, tick: TickRef) -> ParamTable {
    let Ok(tables) = flocking.contiguous_iter() else { return ParamTable::default() };
    let tables = tables.map(|(agents, flocks)| {
        (flocks.len(), (AgentColumns::from(agents).with_default(tick.settings.plane), flocks))
    });
    let tables: Vec<_> = tables.collect();
    if let Some(uniform) = uniform_table(index, &tables) {
        return uniform;
    }
    for plane in SteeringPlane::ALL {
        let (marks, stride) = marks(&index.planes[plane as usize], plane);
        marks.iter().step_by(stride).for_each(|mark| mark.store(NONE, Relaxed));
    }
    let table = Mutex::new(ParamTable::default());
    for_each_piece(tables, |_, rows| mark_rows(rows, index, &table, tick));
    let mut table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
    for standing in &mut table.standing {
        standing.sort_unstable_by_key(|&(entry, _)| entry);
    }
    table
}

/// The table in the usual case: all that there are flock in the same way, in the default plane, see
/// all round and think in every tick. Slots need no marks then.
fn uniform_table(index: &NeighborIndex, tables: &[(usize, FlockColumns)]) -> Option<ParamTable> {
    let total: usize = tables.iter().map(|(rows, _)| rows).sum();
    let are_usual =
        tables.iter().all(|(_, (agents, _))| agents.plane.is_none() & agents.think.is_none());
    if total != index.entries || !are_usual {
        return None;
    }
    let (_, (agents, flocks)) = tables.iter().find(|(rows, _)| *rows > 0)?;
    let (flock, vehicle) = (&flocks[0], &agents.vehicle[0]);
    // Without layers of its own a flock has those of its agent.
    let own = flock.layers.or(index.layers.same().map(SteeringLayers))?;
    let params = FlockParams::new(flock, vehicle, own)?;
    if params.min_cos.is_some() {
        return None;
    }
    let first = param_key(flock, vehicle, flock.layers);
    let is_uniform = AtomicBool::new(true);
    for_each_piece(tables.to_vec(), |_, (agents, flocks)| {
        // The differing bits of all rows together: a loop without branches, in wide registers.
        let mut differences = ParamKey::default();
        for (flock, vehicle) in flocks.iter().zip(agents.vehicle) {
            let key = param_key(flock, vehicle, flock.layers);
            for (all, (own, first)) in differences.iter_mut().zip(key.iter().zip(&first)) {
                *all |= own ^ first;
            }
        }
        is_uniform.fetch_and(differences == ParamKey::default(), Relaxed);
    });
    let table = ParamTable { sets: vec![params], is_uniform: true, ..default() };
    is_uniform.into_inner().then_some(table)
}

/// By slot, as the first of a few numbers: the marks, which the kernel replaces by changes of
/// velocity; and how many these are.
#[inline]
fn marks(index: &PlaneIndex, plane: SteeringPlane) -> (&[AtomicU32], usize) {
    if plane.is_planar() {
        (index.vectors::<2>()[0].as_flattened(), 2)
    } else {
        (index.vectors::<3>()[0].as_flattened(), 3)
    }
}

fn mark_rows(
    (agents, flocks): FlockColumns,
    index: &NeighborIndex,
    table: &Mutex<ParamTable>,
    tick: TickRef,
) {
    let lock = || table.lock().unwrap_or_else(PoisonError::into_inner);
    let mut last: Option<(ParamKey, u32, bool)> = None;
    for (row, flock) in flocks.iter().enumerate() {
        if !agents.is_due(row, tick.count) {
            continue;
        }
        let parts = agents.row::<false>(row);
        let (plane, entry) = (parts.plane(tick), parts.entry.get());
        let own = &index.planes[plane as usize];
        let (marks, stride) = marks(own, plane);
        let slot = own.slots.get(entry).map(|slot| slot.load(Relaxed) as usize);
        let Some(mark) = slot.and_then(|slot| marks.get(slot * stride)) else { continue };
        let layers = flock.layers.unwrap_or_else(|| SteeringLayers(index.layers.get(|| entry)));
        let key = param_key(flock, parts.vehicle, Some(layers));
        let (set, sees_all_round) = match last {
            Some((last, set, all_round)) if last == key => (set, all_round),
            _ => {
                let ParamTable { sets, indices, .. } = &mut *lock();
                let set = *indices.entry(key).or_insert_with(|| {
                    let params = FlockParams::new(flock, parts.vehicle, layers);
                    sets.extend(params);
                    params.map_or(NONE, |_| sets.len() as u32 - 1)
                });
                let all_round =
                    sets.get(set as usize).is_none_or(|params| params.min_cos.is_none());
                last = Some((key, set, all_round));
                (set, all_round)
            }
        };
        mark.store(set, Relaxed);
        if !sees_all_round && plane.flatten(parts.velocity.0).length() <= NEGLIGIBLE {
            lock().standing[plane as usize].push((entry as u32, parts.heading(plane)));
        }
    }
}

/// A plane with `D` coordinates, and how agents flock in it.
#[derive(Clone, Copy)]
pub(super) struct FlockContext<'a, const D: usize> {
    pub index: &'a NeighborIndex,
    pub own: &'a PlaneIndex,
    pub plane: SteeringPlane,
    /// The axis of each coordinate.
    pub axes: [usize; D],
    pub positions: [&'a [f32]; D],
    pub velocities: [&'a [f32]; D],
    pub table: &'a ParamTable,
}

impl<'a, const D: usize> FlockContext<'a, D> {
    pub(super) fn new(
        index: &'a NeighborIndex,
        plane: SteeringPlane,
        axes: [usize; D],
        table: &'a ParamTable,
    ) -> Self {
        let own = &index.planes[plane as usize];
        let positions = core::array::from_fn(|d| own.positions[d].get());
        let velocities = core::array::from_fn(|d| own.velocities[d].get());
        Self { index, own, plane, axes, positions, velocities, table }
    }

    /// The layers of the agent in this slot; none for what is not an agent.
    #[inline(always)]
    pub(super) fn layers_of(&self, slot: usize) -> u32 {
        let entry = || self.own.entry(slot);
        let is_agent = self.index.kinds.get(entry) == EntryKind::Agent;
        if is_agent { self.index.layers.get(entry) } else { 0 }
    }

    /// How far the entity in this slot reaches along the normal; `None` if all are level.
    #[inline]
    pub(super) fn span_of(&self, slot: usize) -> Option<HeightSpan> {
        self.own.spans.each().map(|spans| spans[self.own.entry(slot)])
    }

    /// Which of eight agents with these spans are level with the entity in a slot.
    #[inline(always)]
    pub(super) fn is_level<L: Lanes>(&self, l: L, slot: usize, [low, high]: [L::F; 2]) -> L::M {
        let span = self.span_of(slot).unwrap_or(HeightSpan::ALL);
        l.and(l.le(l.splat(span.low), high), l.le(low, l.splat(span.high)))
    }

    /// Whether some in reach of an agent may not count for it: they are at another height, in
    /// other layers, or no agents.
    pub(super) fn may_not_count(&self) -> bool {
        let are_agents = self.index.kinds.same() == Some(EntryKind::Agent);
        self.own.spans.each().is_some() || self.index.layers.same().is_none() || !are_agents
    }

    /// Whether the entities in two slots are level.
    pub(super) fn are_level(&self, a: usize, b: usize) -> bool {
        self.span_of(a).zip(self.span_of(b)).is_none_or(|(a, b)| a.meets(b))
    }

    /// The direction that the agent in this slot faces: along its velocity, or its heading at rest.
    pub(super) fn facing(&self, slot: usize) -> [f32; D] {
        let mut velocity = Vec3::ZERO;
        for d in 0..D {
            velocity[self.axes[d]] = self.velocities[d][slot];
        }
        let mut facing = direction(velocity);
        if facing == Vec3::ZERO {
            let standing = &self.table.standing[self.plane as usize];
            let own = self.own.entry(slot) as u32;
            let found = standing.binary_search_by_key(&own, |&(entry, _)| entry);
            facing = found.map_or(Vec3::ZERO, |i| standing[i].1);
        }
        self.axes.map(|axis| facing[axis])
    }
}
