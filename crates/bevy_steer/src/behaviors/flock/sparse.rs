//! Agents that stand so far apart that hardly anybody is in the reach of two of them: the mates of each by itself, eight at a
//! time.

use crate::{
    behaviors::flock::{
        batch::Batch,
        candidates::{CROWD, Candidates},
        kernel::{FlockKernel, Group, Points, Sums},
        params::FlockParams,
        sum::{Limits, RunningSums, SumsOfAll, product},
    },
    simd::lanes::{Lanes, Outlined, WIDTH},
};

/// How much longer eight candidates take for one agent than one candidate for eight.
const EACH: f32 = 1.5;

impl<L: Lanes, const D: usize> Batch<'_, L, D> {
    /// Whether they stand so far apart along their row that it is quicker to look at the mates of [each](Self::sum_each) than at
    /// those of all at once.
    #[inline(always)]
    pub(super) fn are_sparse(&self, width: f32, radius: f32, reach: &Candidates<D>) -> bool {
        // The sum below is never reached then; mostly it is so.
        if width <= 2.5 * radius && reach.candidates <= 160 {
            return false;
        }
        let (candidates, rows) = (reach.candidates as f32, reach.runs.len() as f32);
        // In a row a search looks at this much: both ways, and at the ends at half a cell more than it must.
        let own = candidates * (2.5 * radius / (2.5 * radius + width));
        let is_few = own <= CROWD as f32 * self.fewest as f32;
        // In what a candidate takes for all at once: an eighth of one for each, half of eight in vain at the end of each row, and
        // what there is to do besides.
        is_few && candidates > EACH * own + 6.0 * rows + 40.0
    }

    /// [`sum_all`](Self::sum_all) for agents that stand so far apart that hardly anybody is in the reach of two of them: for each by
    /// itself, with its candidates side by side. `None` if any of them must be looked at in another way.
    #[inline(always)]
    pub(super) fn sum_each(
        &self,
        kernel: &FlockKernel<D>,
        group: &Group,
        points: &Points<D>,
        reach: &mut Candidates<D>,
    ) -> Option<Sums<L, D>> {
        let l = self.l;
        let mut sums = [[0.0; WIDTH]; SUMS];
        for (i, &slot) in group.slots[..group.len].iter().enumerate() {
            let kind = self.kinds[i];
            let mut place = [0.0; D];
            for (place, column) in place.iter_mut().zip(points.positions) {
                *place = column[slot];
            }
            reach.find(l, &kernel.plane_index().grid, place, place, kind.radius);
            if reach.periods.is_some() || reach.is_crowd(kind.max_neighbors) {
                return None;
            }
            let own = l.outlined(SumOne { place, kind, points, reach: &*reach });
            for (sums, own) in sums.iter_mut().zip(own) {
                sums[i] = own;
            }
        }
        let (sums, crowded) = self.without_self(SumsOfAll::from_rows(l, &sums));
        (crowded == 0 && self.are_content(&sums)).then_some(sums)
    }
}

/// How many sums there are in space, filled up to fours: the count and the shares, then the vectors.
const SUMS: usize = 12;

impl<L: Lanes, const D: usize> SumsOfAll<L, D> {
    /// From those of [`SumOne`], agent by agent in each row.
    #[inline(always)]
    fn from_rows(l: L, rows: &[[f32; WIDTH]; SUMS]) -> Self {
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
struct SumOne<'a, const D: usize> {
    place: [f32; D],
    kind: &'a FlockParams,
    points: &'a Points<'a, D>,
    reach: &'a Candidates<D>,
}

impl<L: Lanes, const D: usize> Outlined<L> for SumOne<'_, D> {
    type Output = [f32; SUMS];

    #[inline(always)]
    fn run(self, l: L) -> [f32; SUMS] {
        let Self { place, kind, points, reach } = self;
        let limits = Limits {
            radius_squared: l.splat(kind.radius_squared),
            separation_squared: l.splat(kind.separation_squared),
            one_place: l.splat(kind.one_place),
        };
        let zero = l.splat(0.0);
        let mut sums = RunningSums::new(l);
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
                    let in_run = l.from_bits(u8::MAX >> (WIDTH - left));
                    squared = l.select(in_run, squared, l.splat(f32::MAX));
                }
                let mut velocity = [zero; D];
                for d in 0..D {
                    velocity[d] = l.pack(others[d][..blocks][block]);
                }
                sums.add(l, &limits, (offset, squared), velocity);
            }
        }
        let SumsOfAll { counts, shares, offsets, velocities, separations } = sums.end(l);
        let mut sums = [zero; SUMS];
        (sums[0], sums[1]) = (counts, shares);
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
