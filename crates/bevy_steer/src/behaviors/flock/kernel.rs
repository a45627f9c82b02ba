//! The flock's heavy loop: for eight agents at a time, over the sorted points around them.
//!
//! Consecutive agents of a row of cells see nearly the same points. So eight of them are taken side by side, one a lane, and
//! each point in their reach is held against all of them at once. What lies outside an agent's own radius adds an exact
//! zero.
//!
//! Where they stand so far apart that they hardly see the same points, as those do whose turn it is to think, each is taken by
//! itself, and eight points side by side are held against it.
//!
//! Groups never reach over the end of a row, and a row is never shared out. So the sums of an agent, and the order in which
//! they are made, depend neither on threads nor on the width of the registers.

use core::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bevy::prelude::*;

use crate::{
    behaviors::flock::{
        batch::Batch,
        candidates::{Candidates, Run},
        params::{FlockParams, NONE, ParamTable},
    },
    ecs::columns::block,
    neighbors::{NeighborIndex, PlaneIndex},
    simd::{
        lanes::{Kernel, Lanes, WIDTH},
        vector::abs,
    },
    space::plane::SteeringPlane,
};

/// A group in a sparse row is cut rather than made to look at more cells than this.
const WIDEST_GROUP: f32 = 32.0;

/// The flocks of some rows of cells of a plane with `D` coordinates.
pub(super) struct FlockKernel<'a, const D: usize> {
    pub(super) index: &'a NeighborIndex,
    pub(super) plane: SteeringPlane,
    pub(super) axes: [usize; D],
    pub(super) kinds: &'a ParamTable,
    pub(super) rows: Range<usize>,
    /// Where their wishes go, by slot. Before that, the numbers of their kinds are there, unless everybody is of one.
    pub(super) wishes: &'a [[AtomicU32; D]],
}

/// Some agents that look at the same points.
pub(super) struct Group {
    pub(super) slots: [usize; WIDTH],
    pub(super) kinds: [u32; WIDTH],
    pub(super) len: usize,
}

/// Sums over the mates of each agent of a group.
pub(super) struct Sums<L: Lanes, const D: usize> {
    pub(super) count: L::F,
    pub(super) offsets: [L::F; D],
    pub(super) velocities: [L::F; D],
    pub(super) separations: [L::F; D],
    /// Of those in the very place, who add no direction of their own.
    pub(super) partings: [L::F; D],
}

/// The columns of the index.
pub(super) struct Points<'a, const D: usize> {
    pub(super) positions: [&'a [f32]; D],
    pub(super) velocities: [&'a [f32]; D],
}

impl<const D: usize> Kernel for FlockKernel<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let points = self.points();
        let mut reach = Candidates::new(&self.plane_index().grid, self.axes);
        let mut group = Group { slots: [0; WIDTH], kinds: [0; WIDTH], len: 0 };
        for row in self.rows.clone() {
            let mut slots = self.row(row);
            while self.next_group(l, &mut slots, &points, &mut group) {
                let wishes = self.wishes_of(l, &group, &points, &mut reach);
                for (i, &slot) in group.slots[..group.len].iter().enumerate() {
                    for (wish, wishes) in self.wishes[slot].iter().zip(&wishes) {
                        wish.store(wishes[i].to_bits(), Relaxed);
                    }
                }
            }
        }
    }
}

impl<'a, const D: usize> FlockKernel<'a, D> {
    pub(super) fn plane_index(&self) -> &'a PlaneIndex {
        &self.index.planes[self.plane as usize]
    }

    fn points(&self) -> Points<'a, D> {
        let plane = self.plane_index();
        Points {
            positions: core::array::from_fn(|d| plane.positions[d].get()),
            velocities: core::array::from_fn(|d| plane.velocities[d].get()),
        }
    }

    /// The layers of whom this slot holds.
    pub(super) fn layers_of(&self, slot: usize) -> u32 {
        self.index.layers.get(|| self.plane_index().entry(slot))
    }

    /// The vector with these coordinates in the plane.
    pub(super) fn embed(&self, coordinates: [f32; D]) -> Vec3 {
        let mut vector = Vec3::ZERO;
        for (axis, x) in self.axes.into_iter().zip(coordinates) {
            vector[axis] = x;
        }
        vector
    }

    /// Who of a group is not in this slot, one bit each.
    pub(super) fn others(group: &Group, slot: usize) -> u8 {
        let other = |(i, &own): (usize, &usize)| u8::from(own != slot) << i;
        group.slots[..group.len].iter().enumerate().map(other).sum()
    }

    fn row(&self, row: usize) -> Range<usize> {
        let grid = &self.plane_index().grid;
        grid.run(row, 0, grid.axes[0].buckets)
    }

    fn kind(&self, group: &Group, i: usize) -> &'a FlockParams {
        &self.kinds.kinds[group.kinds[i] as usize]
    }

    #[inline(always)]
    fn is_mixed(&self, group: &Group) -> bool {
        !self.kinds.is_everybody
            && group.kinds[1..group.len].iter().any(|&other| other != group.kinds[0])
    }

    /// The kinds of a group, side by side.
    #[inline(always)]
    fn kinds_of(&self, group: &Group, is_mixed: bool) -> [&'a FlockParams; WIDTH] {
        if is_mixed {
            // Lanes that are not used look on from where the first one is.
            core::array::from_fn(|i| self.kind(group, if i < group.len { i } else { 0 }))
        } else {
            [self.kind(group, 0); WIDTH]
        }
    }

    /// The next agents that flock, near enough to each other to look together. Whether there are any.
    #[inline(always)]
    fn next_group<L: Lanes>(
        &self,
        l: L,
        slots: &mut Range<usize>,
        points: &Points<D>,
        group: &mut Group,
    ) -> bool {
        if !self.kinds.is_everybody {
            return self.next_marked(slots, points, group);
        }
        let first = slots.start;
        if first >= slots.end {
            return false;
        }
        let near = self.near(l, first, points);
        group.len = (near.trailing_ones() as usize).clamp(1, slots.len().min(WIDTH));
        for (i, slot) in group.slots.iter_mut().enumerate() {
            *slot = first + i;
        }
        slots.start += group.len;
        true
    }

    /// Who of the eight from `first` on is near enough to the first, one bit each.
    #[inline(always)]
    fn near<L: Lanes>(&self, l: L, first: usize, points: &Points<D>) -> u8 {
        let mut near = l.from_bits(u8::MAX);
        for (column, limit) in points.positions.into_iter().zip(self.widest_group()) {
            let column = l.pack(*block(column, first));
            let distance = abs(l, l.sub(column, l.splat(l.unpack(column)[0])));
            near = l.and(near, l.le(distance, l.splat(limit)));
        }
        l.bits(near)
    }

    fn widest_group(&self) -> [f32; D] {
        let axes = &self.plane_index().grid.axes;
        core::array::from_fn(|d| axes[self.axes[d]].cell * if d == 0 { WIDEST_GROUP } else { 1.01 })
    }

    /// [`next_group`](Self::next_group) where not everybody flocks, or not in the same way.
    fn next_marked(&self, slots: &mut Range<usize>, points: &Points<D>, group: &mut Group) -> bool {
        let limits = self.widest_group();
        *group = Group { slots: [0; WIDTH], kinds: [NONE; WIDTH], len: 0 };
        while group.len < WIDTH && slots.start < slots.end {
            let slot = slots.start;
            let kind = self.wishes[slot][0].load(Relaxed);
            if kind == NONE {
                self.wishes[slot].iter().for_each(|wish| wish.store(0, Relaxed));
            } else {
                let first = if group.len == 0 { slot } else { group.slots[0] };
                let is_far = (0..D).any(|d| {
                    let column = points.positions[d];
                    (column[slot] - column[first]).abs() > limits[d]
                });
                if is_far {
                    break;
                }
                group.slots[group.len] = slot;
                group.kinds[group.len] = kind;
                group.len += 1;
            }
            slots.start += 1;
        }
        group.len > 0
    }

    #[inline(always)]
    fn wishes_of<L: Lanes>(
        &self,
        l: L,
        group: &Group,
        points: &Points<D>,
        reach: &mut Candidates<D>,
    ) -> [[f32; WIDTH]; D] {
        let is_mixed = self.is_mixed(group);
        let kinds = self.kinds_of(group, is_mixed);
        let lanes: Batch<L, D> = Batch::load(l, self, group, points, &kinds, is_mixed);
        let (low, high, radius) = lanes.surroundings();
        let grid = &self.plane_index().grid;
        reach.find(l, grid, low, high, radius);
        if !lanes.filters && lanes.are_sparse(high[0] - low[0], radius, reach) {
            if let Some(sums) = lanes.sum_each(self, group, points, reach) {
                return lanes.wish(&sums);
            }
            reach.find(l, grid, low, high, radius);
        }
        let sums = if lanes.filters || reach.periods.is_some() {
            lanes.sum_some::<true>(self, group, points, reach)
        } else if reach.is_crowd(lanes.fewest) {
            lanes.sum_some::<false>(self, group, points, reach)
        } else {
            // Mostly few of the candidates are mates; it is quicker to count too many now and then.
            let sums = lanes.sum_all(self, group, points, reach);
            if lanes.are_content(&sums) {
                sums
            } else {
                lanes.sum_some::<false>(self, group, points, reach)
            }
        };
        lanes.wish(&sums)
    }
}

/// Every so manieth candidate, beginning with which, until all have been: so that the first ones are from everywhere.
pub(super) fn strides(candidates: usize, wanted: usize) -> impl Iterator<Item = (usize, usize)> {
    let stride = candidates.div_ceil(wanted.max(1)).next_power_of_two();
    let bits = stride.trailing_zeros();
    (0..stride).map(move |i| {
        let reversed = if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        (reversed, stride)
    })
}

/// The first slot of a run that is `offset` in steps of `stride`, when `before` candidates came before the run.
#[inline(always)]
pub(super) fn first_in<const D: usize>(
    run: &Run<D>,
    before: usize,
    offset: usize,
    stride: usize,
) -> usize {
    run.start + (offset.wrapping_sub(before) & (stride - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_visit_every_candidate_once() {
        let runs =
            [(3, 10), (20, 21), (40, 75)].map(|(start, end)| Run { start, end, shift: [0.0; 2] });
        for wanted in [1, 3, 10, 43, 100] {
            let mut seen = Vec::new();
            for (offset, stride) in strides(43, wanted) {
                let mut before = 0;
                for run in &runs {
                    let first = first_in(run, before, offset, stride);
                    seen.extend((first..run.end).step_by(stride));
                    before += run.end - run.start;
                }
            }
            seen.sort_unstable();
            let all: Vec<usize> = runs.iter().flat_map(|run| run.start..run.end).collect();
            assert_eq!(seen, all, "{wanted}");
        }
    }
}
