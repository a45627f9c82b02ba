//! Marks which agents flock in a tick, and by which parameters.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use bevy::prelude::*;

use crate::{
    agent::{
        columns::{AgentColumns, AgentData},
        layers::SteeringLayers,
        tick_context::TickRef,
    },
    behaviors::flock::{
        component::Flock,
        params::{FlockParams, NONE, ParamKey, ParamTable, param_key},
    },
    ecs::parallel::for_each_piece,
    neighbors::{NeighborIndex, PlaneIndex},
    space::{plane::SteeringPlane, vector::NEGLIGIBLE},
};

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

/// The table in the usual case: all that there are flock in the same way, in the
/// default plane, see all round and think in every tick. Slots need no marks then.
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
                let mut table = lock();
                let set = table.index_of(key, flock, parts.vehicle, layers);
                let all_round =
                    table.sets.get(set as usize).is_none_or(|params| params.min_cos.is_none());
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
