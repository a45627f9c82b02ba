//! The sums over the points in reach of a group: the loops in which a flock spends its time. One is
//! over all points, the other over a part of them: those that each agent sees, and as many as it
//! looks at, for view angles, crowds, very small worlds, and neighbours that look at different
//! layers.

use crate::{
    behaviors::flock::{batch::Batch, params::FlockContext},
    neighbors::{Candidates, Run},
    simd::{Lanes, Outlined},
};

/// The scalar product of vectors of `D` coordinates.
#[inline(always)]
pub(super) fn product<L: Lanes, const D: usize>(l: L, a: [L::F; D], b: [L::F; D]) -> L::F {
    let mut sum = l.mul(a[0], b[0]);
    for d in 1..D {
        sum = l.add(sum, l.mul(a[d], b[d]));
    }
    sum
}

/// The contribution of one neighbour to separation, as a factor on its offset: `1 − s²/d²`, and
/// nothing beyond `s`.
#[inline(always)]
pub(super) fn separation_factor<L: Lanes>(l: L, squared: L::F, limits: &Limits<L>) -> L::F {
    // As `(d² − s²)/d²`, which needs fewer registers, of which these loops have too few.
    let squared = l.max(squared, limits.coincident_squared);
    l.min(l.div(l.sub(squared, limits.separation_squared), squared), l.splat(0.0))
}

/// The squares of the distances that matter to each agent.
#[derive(Clone, Copy)]
pub(super) struct Limits<L: Lanes> {
    pub radius_squared: L::F,
    pub separation_squared: L::F,
    pub coincident_squared: L::F,
}

/// Sums over the neighbours of each agent of a group.
pub(super) struct Sums<L: Lanes, const D: usize> {
    pub count: L::F,
    pub offsets: [L::F; D],
    pub velocities: [L::F; D],
    pub separations: [L::F; D],
    /// The directions away from coincident neighbours, which have no offset.
    pub partings: [L::F; D],
}

/// The loop of [`Batch::sum_all`](super::batch::Batch::sum_all).
pub(super) struct SumAll<'a, L: Lanes, const D: usize, const SOME: bool> {
    pub context: &'a FlockContext<'a, D>,
    pub position: [L::F; D],
    /// From where to where they reach along the normal.
    pub span: [L::F; 2],
    /// The layers at which they look.
    pub layers: u32,
    pub limits: Limits<L>,
    pub candidates: &'a Candidates<D>,
}

impl<L: Lanes, const D: usize, const SOME: bool> Outlined<L> for SumAll<'_, L, D, SOME> {
    /// The sums with the agent itself, and that of its separation factors.
    type Output = (Sums<L, D>, L::F);

    #[allow(clippy::needless_range_loop, reason = "one index for several arrays")]
    #[inline(always)]
    fn run(self, l: L) -> (Sums<L, D>, L::F) {
        let Self { context, position, span, layers, limits, candidates } = self;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let (mut count, mut factors) = (zero, zero);
        let (mut offsets, mut velocities, mut separations) = ([zero; D], [zero; D], [zero; D]);
        for run in &candidates.runs {
            let mut from = position;
            for d in 0..D {
                from[d] = l.sub(position[d], l.splat(run.shift[d]));
            }
            let positions: [&[f32]; D] =
                core::array::from_fn(|d| &context.positions[d][run.start..run.end]);
            let others: [&[f32]; D] =
                core::array::from_fn(|d| &context.velocities[d][run.start..run.end]);
            let len = run.end - run.start;
            for i in 0..len {
                if SOME && context.layers_of(run.start + i) & layers == 0 {
                    continue;
                }
                let mut offset = from;
                for d in 0..D {
                    offset[d] = l.sub(l.splat(positions[d][..len][i]), from[d]);
                }
                let squared = product(l, offset, offset);
                let mut near = l.le(squared, limits.radius_squared);
                let mut factor = separation_factor(l, squared, &limits);
                if SOME {
                    let is_level = context.is_level(l, run.start + i, span);
                    (near, factor) = (l.and(near, is_level), l.mask(is_level, factor));
                }
                count = l.add_where(near, count, one);
                factors = l.add(factors, factor);
                for d in 0..D {
                    offsets[d] = l.add_where(near, offsets[d], offset[d]);
                    let velocity = l.splat(others[d][..len][i]);
                    velocities[d] = l.add_where(near, velocities[d], velocity);
                    separations[d] = l.add(separations[d], l.mul(offset[d], factor));
                }
            }
        }
        (Sums { count, offsets, velocities, separations, partings: [zero; D] }, factors)
    }
}

/// The loop of [`Batch::sum_some`](super::batch::Batch::sum_some).
pub(super) struct SumSome<'a, L: Lanes, const D: usize, const FILTER: bool> {
    pub batch: &'a Batch<'a, L, D>,
    /// From where to where they reach along the normal.
    pub span: [L::F; 2],
    pub facing: [L::F; D],
    /// The cosines of half their view angles.
    pub min_cos: L::F,
    /// The most neighbours that each looks at.
    pub most: L::F,
    pub candidates: &'a Candidates<D>,
}

impl<L: Lanes, const D: usize, const FILTER: bool> Outlined<L> for SumSome<'_, L, D, FILTER> {
    /// The sums, and the number of neighbours in the very same place.
    type Output = (Sums<L, D>, L::F);

    #[inline(always)]
    fn run(self, l: L) -> (Sums<L, D>, L::F) {
        let zero = l.splat(0.0);
        let mut coincident = zero;
        let mut sums = Sums {
            count: zero,
            offsets: [zero; D],
            velocities: [zero; D],
            separations: [zero; D],
            partings: [zero; D],
        };
        for round in self.candidates.rounds(self.batch.fewest) {
            for (run, slot) in round {
                self.look_at(l, run, slot, &mut sums, &mut coincident);
            }
            if l.bits(l.and(self.batch.used, l.lt(sums.count, self.most))) == 0 {
                break;
            }
        }
        (sums, coincident)
    }
}

impl<L: Lanes, const D: usize, const FILTER: bool> SumSome<'_, L, D, FILTER> {
    // Not a closure: that would be compiled by itself, without the instructions of the lanes.
    #[allow(clippy::needless_range_loop, reason = "one index for several arrays")]
    #[inline(always)]
    fn look_at(
        &self,
        l: L,
        run: &Run<D>,
        slot: usize,
        sums: &mut Sums<L, D>,
        coincident: &mut L::F,
    ) {
        let seen = self.seen(l, slot);
        if l.bits(seen) == 0 {
            return;
        }
        let context = self.batch.context;
        let mut offset = [l.splat(0.0); D];
        for d in 0..D {
            let from = l.sub(self.batch.position[d], l.splat(run.shift[d]));
            offset[d] = l.sub(l.splat(context.positions[d][slot]), from);
        }
        if FILTER && let Some(periods) = self.candidates.periods {
            for d in 0..D {
                if periods[d] > 0.0 {
                    let turns = l.round(l.mul(offset[d], l.splat(1.0 / periods[d])));
                    offset[d] = l.sub(offset[d], l.mul(l.splat(periods[d]), turns));
                }
            }
        }
        let squared = product(l, offset, offset);
        let near =
            l.and(l.le(squared, self.batch.limits.radius_squared), l.lt(sums.count, self.most));
        let mut near = l.and(near, seen);
        if FILTER {
            let ahead = product(l, self.facing, offset);
            near = l.and(near, l.le(l.mul(self.min_cos, l.sqrt(squared)), ahead));
        }
        let one = l.splat(1.0);
        sums.count = l.add(sums.count, l.mask(near, one));
        let is_coincident = l.and(near, l.le(squared, self.batch.limits.coincident_squared));
        *coincident = l.add(*coincident, l.mask(is_coincident, one));
        let factor = l.mask(near, separation_factor(l, squared, &self.batch.limits));
        for d in 0..D {
            let velocity = l.splat(context.velocities[d][slot]);
            sums.offsets[d] = l.add(sums.offsets[d], l.mask(near, offset[d]));
            sums.velocities[d] = l.add(sums.velocities[d], l.mask(near, velocity));
            sums.separations[d] = l.add(sums.separations[d], l.mul(offset[d], factor));
        }
    }

    /// Which of the agents look at the entity in a slot, if it is near.
    #[inline(always)]
    fn seen(&self, l: L, slot: usize) -> L::M {
        let slots = &self.batch.group.slots[..self.batch.group.len];
        let mut seen = self.batch.used;
        if (slots[0]..=slots[slots.len() - 1]).contains(&slot) {
            seen = l.bits_to_mask(self.batch.group.others(slot));
        }
        if FILTER {
            let (layers, mut in_layers) = (self.batch.context.layers_of(slot), 0);
            for (i, params) in self.batch.params.iter().enumerate() {
                in_layers |= u8::from(layers & params.layers != 0) << i;
            }
            seen = l.and(seen, l.bits_to_mask(in_layers));
            seen = l.and(seen, self.batch.context.is_level(l, slot, self.span));
        }
        seen
    }
}
