//! The sums over everybody in reach of a group: the loop in which a flock spends its time.

use crate::{
    behaviors::flock::{batch::Batch, candidates::Candidates, kernel::Points},
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

/// The loop of [`Batch::sum_all`].
pub(super) struct SumAll<'a, L: Lanes, const D: usize> {
    pub(super) lane: &'a Batch<'a, L, D>,
    pub(super) points: &'a Points<'a, D>,
    pub(super) reach: &'a Candidates<D>,
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

/// How near a mate is, and from how near ones agents part.
pub(super) struct Limits<L: Lanes> {
    pub(super) radius_squared: L::F,
    pub(super) separation_squared: L::F,
    pub(super) one_place: L::F,
}

/// [`SumsOfAll`] while they are made.
pub(super) struct RunningSums<L: Lanes, const D: usize> {
    counts: L::C,
    shares: L::F,
    offsets: [L::F; D],
    velocities: [L::F; D],
    separations: [L::F; D],
}

impl<L: Lanes, const D: usize> RunningSums<L, D> {
    #[inline(always)]
    pub(super) fn new(l: L) -> Self {
        let none = [l.splat(0.0); D];
        let (counts, shares) = (l.no_count(), l.splat(0.0));
        Self { counts, shares, offsets: none, velocities: none, separations: none }
    }

    /// Adds eight pairs of an agent and a candidate, the square of whose distance is `squared`.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        l: L,
        limits: &Limits<L>,
        (offset, squared): ([L::F; D], L::F),
        velocity: [L::F; D],
    ) {
        let near = l.le(squared, limits.radius_squared);
        self.counts = l.count(self.counts, near);
        let share = separation_share(l, squared, limits.separation_squared, limits.one_place);
        self.shares = l.add(self.shares, share);
        for d in 0..D {
            self.offsets[d] = l.add_where(near, self.offsets[d], offset[d]);
            self.velocities[d] = l.add_where(near, self.velocities[d], velocity[d]);
            self.separations[d] = l.add(self.separations[d], l.mul(offset[d], share));
        }
    }

    #[inline(always)]
    pub(super) fn end(self, l: L) -> SumsOfAll<L, D> {
        let Self { counts, shares, offsets, velocities, separations } = self;
        SumsOfAll { counts: l.counted(counts), shares, offsets, velocities, separations }
    }
}

impl<L: Lanes, const D: usize> Outlined<L> for SumAll<'_, L, D> {
    type Output = SumsOfAll<L, D>;

    #[inline(always)]
    fn run(self, l: L) -> SumsOfAll<L, D> {
        let Self { lane, points, reach, one_place } = self;
        let (radius_squared, separation_squared) = (lane.radius_squared, lane.separation_squared);
        let limits = Limits { radius_squared, separation_squared, one_place };
        let mut sums = RunningSums::new(l);
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
                let velocity = core::array::from_fn(|d| l.splat(others[d][..len][i]));
                sums.add(l, &limits, (offset, squared), velocity);
            }
        }
        sums.end(l)
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
