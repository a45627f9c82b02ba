//! The systems of flocks, and their main loop. All flocking agents are computed together, before
//! the behaviours of single agents run.
//!
//! Consecutive agents of a row of cells see nearly the same points. So eight of them form a group,
//! one in each lane, and each point in their range is compared with all of them in one step. Points
//! outside an agent's own radius add an exact zero.
//!
//! Groups never extend beyond the end of a row, and a row is never split among threads. So the sums
//! of an agent, and the order of their terms, depend neither on threads nor on the width of
//! registers.

use core::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bevy::prelude::*;

use crate::{
    agent::{IndexSlot, SteeringHeight, Tick, Vehicle},
    behavior::Several,
    behaviors::flock::{
        batch::Batch,
        component::Flock,
        params::{FlockContext, FlockParams, Flocking, NONE, mark},
    },
    ecs::{RowCost, block, for_each_piece, run_all},
    neighbors::{AgentDemand, Candidates, CurrentIndex, Level, widest_group},
    simd::{Kernel, Lanes, WIDTH, dispatch, pack},
    space::SteeringPlane,
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
pub(crate) fn steer_flocks(
    index: Res<CurrentIndex>,
    flocking: Query<Flocking>,
    mut cost: Local<RowCost>,
    tick: Tick,
) {
    if flocking.is_empty() {
        return;
    }
    let index = &index.0;
    let table = mark(index, &flocking, tick.borrow());
    let cost = &mut *cost;
    run_kernels(FlockContext::new(index, SteeringPlane::Xy, [0, 1], &table), cost);
    run_kernels(FlockContext::new(index, SteeringPlane::Xz, [0, 2], &table), cost);
    run_kernels(FlockContext::new(index, SteeringPlane::Free, [0, 1, 2], &table), cost);
}

fn run_kernels<const D: usize>(context: FlockContext<D>, cost: &mut RowCost) {
    let own = context.own;
    let len = own.len;
    if !own.built {
        return;
    }
    let [by_slot, by_entry] = own.vectors::<D>();
    cost.measure(len, |cost| {
        let shares = own.shares(cost.pieces(len)).into_iter();
        let kernels =
            shares.map(|(level, rows)| FlockKernel { context, level, rows, changes: by_slot });
        run_all(kernels.map(|kernel| move || dispatch(kernel)).collect());
    });
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

/// The flocks of some rows of cells.
struct FlockKernel<'a, const D: usize> {
    pub context: FlockContext<'a, D>,
    pub level: &'a Level,
    pub rows: Range<usize>,
    /// By slot, for the changes of velocity. Before that, the indices of their parameters are
    /// there, unless these are uniform.
    pub changes: &'a [[AtomicU32; D]],
}

impl<const D: usize> Kernel for FlockKernel<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let FlockContext { axes, table, .. } = self.context;
        let grid = &self.level.grid;
        let mut candidates = Candidates::new(axes);
        let mut group = Group { slots: [0; WIDTH], sets: [0; WIDTH], len: 0 };
        for row in self.rows.clone() {
            let mut slots = grid.run(row, 0, grid.axes[0].buckets);
            loop {
                if table.is_uniform {
                    self.next_group(l, &mut slots, &mut group);
                } else {
                    self.next_marked(&mut slots, &mut group);
                }
                if group.len == 0 {
                    break;
                }
                let changes = self.changes_of(l, &group, &mut candidates);
                for (i, &slot) in group.slots[..group.len].iter().enumerate() {
                    for (change, changes) in self.changes[slot].iter().zip(&changes) {
                        change.store(changes[i].to_bits(), Relaxed);
                    }
                }
            }
        }
    }
}

impl<const D: usize> FlockKernel<'_, D> {
    /// The next agents that are close enough to each other to form a group.
    #[inline(always)]
    fn next_group<L: Lanes>(&self, l: L, slots: &mut Range<usize>, group: &mut Group) {
        group.len = 0;
        if slots.start >= slots.end {
            return;
        }
        let first = slots.start;
        let mut near = l.bits_to_mask(u8::MAX);
        for (column, limit) in self.context.positions.into_iter().zip(self.widest_group()) {
            let column = l.pack(*block(column, first));
            let distance = l.abs(l.sub(column, l.splat(l.unpack(column)[0])));
            near = l.and(near, l.le(distance, l.splat(limit)));
        }
        let near = l.bits(near).trailing_ones() as usize;
        group.len = near.clamp(1, slots.len().min(WIDTH));
        group.slots = core::array::from_fn(|i| first + i);
        slots.start += group.len;
    }

    /// [`next_group`](Self::next_group) of the agents with marks.
    fn next_marked(&self, slots: &mut Range<usize>, group: &mut Group) {
        let limits = self.widest_group();
        *group = Group { slots: [0; WIDTH], sets: [NONE; WIDTH], len: 0 };
        while group.len < WIDTH && slots.start < slots.end {
            let slot = slots.start;
            let set = self.changes[slot][0].load(Relaxed);
            if set == NONE {
                self.changes[slot].iter().for_each(|change| change.store(0, Relaxed));
            } else {
                let first = if group.len == 0 { slot } else { group.slots[0] };
                let columns = self.context.positions.into_iter().zip(limits);
                if columns.into_iter().any(|(x, limit)| (x[slot] - x[first]).abs() > limit) {
                    break;
                }
                (group.slots[group.len], group.sets[group.len]) = (slot, set);
                group.len += 1;
            }
            slots.start += 1;
        }
    }

    fn widest_group(&self) -> [f32; D] {
        let (axes, grid) = (self.context.axes, &self.level.grid);
        core::array::from_fn(|d| {
            if d == 0 { widest_group(grid, axes) } else { grid.axes[axes[d]].cell * 1.01 }
        })
    }

    #[inline(always)]
    fn changes_of<L: Lanes>(
        &self,
        l: L,
        group: &Group,
        candidates: &mut Candidates<D>,
    ) -> [[f32; WIDTH]; D] {
        let table = self.context.table;
        // Unused lanes have the parameters of the first agent.
        let set = |i: usize| group.sets[if i < group.len { i } else { 0 }];
        let params: [&FlockParams; WIDTH] = core::array::from_fn(|i| &table.sets[set(i) as usize]);
        let batch: Batch<L, D> = Batch::load(l, &self.context, group, &params);
        let (low, high, radius) = batch.surroundings();
        let levels = self.context.own.levels_beside(self.level);
        candidates.find(levels, low, high, radius);
        batch.change(&if batch.filters || candidates.periods.is_some() {
            batch.sum_some::<true>(candidates)
        } else if self.context.may_not_count() {
            batch.sum::<true>(candidates)
        } else {
            batch.sum::<false>(candidates)
        })
    }
}

/// Up to eight agents that look at the same points.
pub(super) struct Group {
    pub slots: [usize; WIDTH],
    /// The indices of their parameters.
    pub sets: [u32; WIDTH],
    pub len: usize,
}

impl Group {
    /// Their numbers in a column. Unused lanes have those of the first agent or of following slots.
    #[inline(always)]
    pub(super) fn load<L: Lanes>(&self, l: L, column: &[f32]) -> L::F {
        let first = self.slots[0];
        if self.slots[WIDTH - 1] == first + WIDTH - 1 {
            return l.pack(*block(column, first));
        }
        pack!(l, i => column[self.slots[if i < self.len { i } else { 0 }]])
    }

    /// The agents that are not in this slot, one bit each.
    pub(super) fn others(&self, slot: usize) -> u8 {
        let other = |(i, &own): (usize, &usize)| u8::from(own != slot) << i;
        self.slots[..self.len].iter().enumerate().map(other).sum()
    }
}
