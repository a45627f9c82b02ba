//! The main loop of flocks: for eight agents in lanes, over the sorted points around them.
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

use crate::{
    behaviors::flock::{
        batch::Batch,
        context::FlockContext,
        group::Group,
        params::{FlockParams, NONE},
    },
    ecs::columns::block,
    neighbors::{Candidates, Level, widest_group},
    simd::lanes::{Kernel, Lanes, WIDTH},
};

/// The flocks of some rows of cells.
pub(super) struct FlockKernel<'a, const D: usize> {
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
