//! The sums over all points in reach of a group: the loop in which a flock spends its time.

use crate::{
    behaviors::flock::context::FlockContext,
    neighbors::Candidates,
    simd::lanes::{Lanes, Outlined},
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
