//! The sums over everybody in reach of a group: the loop in which a flock spends its time.

use super::{kernel::Points, lane::Lane, reach::Reach};
use crate::lanes::{Apart, Lanes};

/// The scalar product of vectors of `D` coordinates.
#[inline(always)]
pub(super) fn product<L: Lanes, const D: usize>(l: L, a: [L::F; D], b: [L::F; D]) -> L::F {
    let mut sum = l.mul(a[0], b[0]);
    for d in 1..D {
        sum = l.add(sum, l.mul(a[d], b[d]));
    }
    sum
}

/// The loop of [`Lane::sum_all`].
pub(super) struct SumAll<'a, L: Lanes, const D: usize> {
    pub(super) lane: &'a Lane<'a, L, D>,
    pub(super) points: &'a Points<'a, D>,
    pub(super) reach: &'a Reach<D>,
    pub(super) one_place: L::F,
}

pub(super) struct SumsOfAll<L: Lanes, const D: usize> {
    pub(super) counts: L::C,
    pub(super) shares: L::F,
    pub(super) offsets: [L::F; D],
    pub(super) velocities: [L::F; D],
    pub(super) separations: [L::F; D],
}

impl<L: Lanes, const D: usize> Apart<L> for SumAll<'_, L, D> {
    type Output = SumsOfAll<L, D>;

    #[inline(always)]
    fn run(self, l: L) -> SumsOfAll<L, D> {
        let Self { lane, points, reach, one_place } = self;
        let zero = l.splat(0.0);
        let (radius_squared, separation_squared) = (lane.radius_squared, lane.separation_squared);
        let (mut counts, mut shares) = (l.no_count(), zero);
        let (mut offsets, mut velocities, mut separations) = ([zero; D], [zero; D], [zero; D]);
        for run in &reach.runs {
            let from = lane.seen_from(run);
            let positions: [&[f32]; D] =
                core::array::from_fn(|d| &points.positions[d][run.start..run.end]);
            let others: [&[f32]; D] =
                core::array::from_fn(|d| &points.velocities[d][run.start..run.end]);
            let len = run.end - run.start;
            for i in 0..len {
                let offset: [L::F; D] =
                    core::array::from_fn(|d| l.sub(l.splat(positions[d][..len][i]), from[d]));
                let squared = product(l, offset, offset);
                let near = l.le(squared, radius_squared);
                counts = l.count(counts, near);
                let share = separation_share(l, squared, separation_squared, one_place);
                shares = l.add(shares, share);
                for d in 0..D {
                    offsets[d] = l.add_where(near, offsets[d], offset[d]);
                    let velocity = l.splat(others[d][..len][i]);
                    velocities[d] = l.add_where(near, velocities[d], velocity);
                    separations[d] = l.add(separations[d], l.mul(offset[d], share));
                }
            }
        }
        SumsOfAll { counts, shares, offsets, velocities, separations }
    }
}

/// What one mate adds to the separation, as a factor on its offset: `1 − s²/d²`, and nothing beyond `s`.
#[inline(always)]
pub(super) fn separation_share<L: Lanes>(
    l: L,
    squared: L::F,
    separation_squared: L::F,
    least: L::F,
) -> L::F {
    // As `(d² − s²)/d²`, which needs fewer registers, of which these loops have too few.
    let squared = l.max(squared, least);
    l.min(l.div(l.sub(squared, separation_squared), squared), l.splat(0.0))
}
