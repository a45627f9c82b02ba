//! The sums over everybody in reach of a group: the loop in which a flock spends its time.

use super::{kernel::Points, kinds::Kind, lane::Lane, reach::Reach};
use crate::lanes::{Apart, Lanes, WIDTH};

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

/// Of each agent.
pub(super) struct SumsOfAll<L: Lanes, const D: usize> {
    pub(super) counts: L::F,
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
        SumsOfAll { counts: l.counted(counts), shares, offsets, velocities, separations }
    }
}

/// How many sums there are in space, filled up to fours: the count and the shares, then the vectors.
pub(super) const SUMS: usize = 12;

impl<L: Lanes, const D: usize> SumsOfAll<L, D> {
    /// From those of [`SumOne`], agent by agent in each row.
    #[inline(always)]
    pub(super) fn from_rows(l: L, rows: &[[f32; WIDTH]; SUMS]) -> Self {
        let mut vectors = [[l.splat(0.0); D]; 3];
        for (i, vector) in vectors.iter_mut().enumerate() {
            for d in 0..D {
                vector[d] = l.pack(rows[2 + i * D + d]);
            }
        }
        let [offsets, velocities, separations] = vectors;
        let (counts, shares) = (l.pack(rows[0]), l.pack(rows[1]));
        Self { counts, shares, offsets, velocities, separations }
    }
}

/// The sums of one agent, over eight candidates at a time.
pub(super) struct SumOne<'a, const D: usize> {
    pub(super) place: [f32; D],
    pub(super) kind: &'a Kind,
    pub(super) points: &'a Points<'a, D>,
    pub(super) reach: &'a Reach<D>,
}

impl<L: Lanes, const D: usize> Apart<L> for SumOne<'_, D> {
    type Output = [f32; SUMS];

    #[inline(always)]
    fn run(self, l: L) -> [f32; SUMS] {
        let Self { place, kind, points, reach } = self;
        let zero = l.splat(0.0);
        let radius_squared = l.splat(kind.radius_squared);
        let separation_squared = l.splat(kind.separation_squared);
        let one_place = l.splat(kind.one_place);
        let (mut counts, mut shares) = (l.no_count(), zero);
        let (mut offsets, mut velocities, mut separations) = ([zero; D], [zero; D], [zero; D]);
        for run in &reach.runs {
            let mut from = [zero; D];
            for d in 0..D {
                from[d] = l.splat(place[d] - run.shift[d]);
            }
            let len = run.end - run.start;
            let blocks = len.div_ceil(WIDTH);
            let all = run.start..run.start + blocks * WIDTH;
            let positions: [&[[f32; WIDTH]]; D] =
                core::array::from_fn(|d| points.positions[d][all.clone()].as_chunks().0);
            let others: [&[[f32; WIDTH]]; D] =
                core::array::from_fn(|d| points.velocities[d][all.clone()].as_chunks().0);
            for block in 0..blocks {
                let mut offset = [zero; D];
                for d in 0..D {
                    offset[d] = l.sub(l.pack(positions[d][..blocks][block]), from[d]);
                }
                let mut squared = product(l, offset, offset);
                let left = len - block * WIDTH;
                if left < WIDTH {
                    // Who is behind the run is out of reach.
                    let in_run = l.mask(u8::MAX >> (WIDTH - left));
                    squared = l.select(in_run, squared, l.splat(f32::MAX));
                }
                let near = l.le(squared, radius_squared);
                counts = l.count(counts, near);
                let share = separation_share(l, squared, separation_squared, one_place);
                shares = l.add(shares, share);
                for d in 0..D {
                    offsets[d] = l.add_where(near, offsets[d], offset[d]);
                    let velocity = l.pack(others[d][..blocks][block]);
                    velocities[d] = l.add_where(near, velocities[d], velocity);
                    separations[d] = l.add(separations[d], l.mul(offset[d], share));
                }
            }
        }
        let mut sums = [zero; SUMS];
        (sums[0], sums[1]) = (l.counted(counts), shares);
        for (i, vector) in [offsets, velocities, separations].iter().enumerate() {
            sums[2 + i * D..2 + (i + 1) * D].copy_from_slice(vector);
        }
        let mut totals = [0.0; SUMS];
        for (sums, totals) in sums.as_chunks().0.iter().zip(totals.as_chunks_mut().0) {
            *totals = total(l.rows(*sums));
        }
        totals
    }
}

/// The sum of eight rows: of two always one is made.
#[inline(always)]
fn total([a, b, c, d, e, f, g, h]: [[f32; 4]; WIDTH]) -> [f32; 4] {
    let mut total = [0.0; 4];
    for i in 0..4 {
        total[i] = ((a[i] + b[i]) + (c[i] + d[i])) + ((e[i] + f[i]) + (g[i] + h[i]));
    }
    total
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
