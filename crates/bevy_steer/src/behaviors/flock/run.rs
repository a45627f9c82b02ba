//! The systems of flocks: all flocking agents are computed together, before the behaviours of
//! single agents run.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use crate::{
    agent::{height::SteeringHeight, index_slot::IndexSlot, tick_context::Tick, vehicle::Vehicle},
    behavior::several::Several,
    behaviors::flock::{
        component::Flock,
        context::FlockContext,
        kernel::FlockKernel,
        mark::{Flocking, mark},
    },
    ecs::parallel::{for_each_piece, run_all},
    neighbors::{AgentDemand, CurrentIndex},
    simd::dispatch::dispatch,
    space::plane::SteeringPlane,
};

/// Tells the index that there are flocks, and how far they see.
pub(crate) fn demand_index(
    flocks: Query<(&Flock, &Vehicle, &IndexSlot)>,
    several: Query<(), With<Several<Flock>>>,
    leveled: Query<(), Or<(With<SteeringHeight>, With<SteeringPlane>)>>,
    index: Res<CurrentIndex>,
    mut demand: ResMut<AgentDemand>,
    tick: Tick,
) {
    if !several.is_empty() {
        demand.want_identities();
    }
    let Ok(tables) = flocks.contiguous_iter() else { return };
    let tables: Vec<_> =
        tables.map(|(flocks, vehicles, slots)| (flocks.len(), (flocks, vehicles, slots))).collect();
    if tables.iter().all(|(count, _)| *count == 0) {
        return;
    }
    let widest = AtomicU32::new(0);
    let may_have_storeys = tick.settings.plane == SteeringPlane::Xz || !leveled.is_empty();
    let build = index.0.build_count;
    for_each_piece(tables, |_, (flocks, vehicles, slots)| {
        let mut widest_here = 0;
        for (flock, (vehicle, slot)) in flocks.iter().zip(vehicles.iter().zip(slots)) {
            // The bits of positive numbers are in the order of the numbers.
            let radius = flock.radius.in_units(vehicle).to_bits();
            let counts = flock.blend.enabled & (radius <= f32::MAX.to_bits());
            widest_here = widest_here.max(if counts { radius } else { 0 });
            if may_have_storeys && counts {
                slot.set_reach(f32::from_bits(radius), build);
            }
        }
        widest.fetch_max(widest_here, Relaxed);
    });
    demand.want_neighbors(f32::from_bits(widest.into_inner()));
}

/// Computes the changes of velocity of all flocking agents.
pub(crate) fn steer_flocks(index: Res<CurrentIndex>, flocking: Query<Flocking>, tick: Tick) {
    if flocking.is_empty() {
        return;
    }
    let index = &index.0;
    let table = mark(index, &flocking, tick.borrow());
    run_kernels(FlockContext::new(index, SteeringPlane::Xy, [0, 1], &table));
    run_kernels(FlockContext::new(index, SteeringPlane::Xz, [0, 2], &table));
    run_kernels(FlockContext::new(index, SteeringPlane::Free, [0, 1, 2], &table));
}

fn run_kernels<const D: usize>(context: FlockContext<D>) {
    let own = context.own;
    let len = own.len;
    if !own.built {
        return;
    }
    let [by_slot, by_entry] = own.vectors::<D>();
    let shares = own.shares().into_iter();
    let kernels =
        shares.map(|(level, rows)| FlockKernel { context, level, rows, changes: by_slot });
    run_all(kernels.map(|kernel| move || dispatch(kernel)).collect());
    // Invalid entries are in no row.
    for nothing in by_slot[len..].as_flattened() {
        nothing.store(0, Relaxed);
    }

    // Now in the order in which the behaviour reads them.
    for_each_piece(vec![(by_entry.len(), (by_entry, &own.slots[..]))], |_, (changes, slots)| {
        for (change, slot) in changes.iter().zip(slots) {
            for (change, found) in change.iter().zip(&by_slot[slot.load(Relaxed) as usize]) {
                change.store(found.load(Relaxed), Relaxed);
            }
        }
    });
}
