//! What eight agents at a time make of the points around them.

use bevy::prelude::*;

use crate::{
    behaviors::flock::{
        candidates::{Candidates, Run},
        coincident::CoincidentAgent,
        kernel::{FlockKernel, Group, Points, Sums, first_in, strides},
        params::FlockParams,
        sum::{SumAll, SumsOfAll, product, separation_share},
    },
    ecs::columns::block,
    simd::lanes::{Lanes, WIDTH, pack},
    space::vector::direction,
};

/// The numbers of a group in a column. Lanes that are not used look on from where the first one is, or from further on.
#[inline(always)]
fn load<L: Lanes>(l: L, group: &Group, column: &[f32]) -> L::F {
    let first = group.slots[0];
    if group.slots[WIDTH - 1] == first + WIDTH - 1 {
        return l.pack(*block(column, first));
    }
    pack!(l, i => column[group.slots[if i < group.len { i } else { 0 }]])
}

/// What is left of eight numbers when of two always one is taken.
#[inline(always)]
fn folded([a, b, c, d, e, f, g, h]: [f32; WIDTH], of: impl Fn(f32, f32) -> f32) -> f32 {
    of(of(of(a, b), of(c, d)), of(of(e, f), of(g, h)))
}

/// A group of agents side by side.
pub(super) struct Batch<'a, L: Lanes, const D: usize> {
    pub(super) l: L,
    position: [L::F; D],
    velocity: [L::F; D],
    /// By reference: to copy what has just been written word by word would wait for it.
    pub(super) kinds: &'a [&'a FlockParams; WIDTH],
    used: L::M,
    pub(super) radius_squared: L::F,
    pub(super) separation_squared: L::F,
    /// The smallest number of mates that any of them is content with.
    pub(super) fewest: u32,
    /// Whether any of them does not see everybody.
    pub(super) filters: bool,
    is_mixed: bool,
}

impl<'a, L: Lanes, const D: usize> Batch<'a, L, D> {
    #[inline(always)]
    pub(super) fn load(
        l: L,
        kernel: &FlockKernel<'a, D>,
        group: &Group,
        points: &Points<D>,
        kinds: &'a [&'a FlockParams; WIDTH],
        is_mixed: bool,
    ) -> Self {
        let first = kinds[0];
        let number = |f: fn(&FlockParams) -> f32| {
            if is_mixed { l.pack(kinds.map(f)) } else { l.splat(f(first)) }
        };
        let (mut fewest, mut filters) = (u32::MAX, false);
        let layers = kernel.index.layers.same();
        for kind in if is_mixed { &kinds[..] } else { &kinds[..1] } {
            fewest = fewest.min(kind.max_neighbors);
            filters |= kind.least_cos.is_some() || layers.is_none_or(|all| all & kind.layers == 0);
        }
        // By hand: a closure that is handed on is compiled by itself, and not for the lanes.
        let (mut position, mut velocity) = ([l.splat(0.0); D], [l.splat(0.0); D]);
        for d in 0..D {
            position[d] = load(l, group, points.positions[d]);
            velocity[d] = load(l, group, points.velocities[d]);
        }
        Self {
            l,
            position,
            velocity,
            kinds,
            used: l.from_bits(((1_u32 << group.len) - 1) as u8),
            radius_squared: number(|kind| kind.radius_squared),
            separation_squared: number(|kind| kind.separation_squared),
            fewest,
            filters,
            is_mixed,
        }
    }

    /// The least box about them, and the largest of their radii.
    #[inline(always)]
    pub(super) fn surroundings(&self) -> ([f32; D], [f32; D], f32) {
        let l = self.l;
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for d in 0..D {
            let all = l.unpack(self.position[d]);
            // As the others do not count, they are where the first one is.
            let own = l.unpack(l.select(self.used, self.position[d], l.splat(all[0])));
            low[d] = folded(own, |a, b| if a < b { a } else { b });
            high[d] = folded(own, |a, b| if a > b { a } else { b });
        }
        let radius = |kind: &&FlockParams| kind.radius;
        let radius = if self.is_mixed {
            self.kinds.iter().map(radius).fold(0.0, f32::max)
        } else {
            self.kinds[0].radius
        };
        (low, high, radius)
    }

    /// Where each of them looks: along its velocity, or its heading while it stands.
    fn facing(
        &self,
        kernel: &FlockKernel<D>,
        group: &Group,
        points: &Points<D>,
    ) -> [[f32; WIDTH]; D] {
        let mut all = [[0.0; WIDTH]; D];
        for (i, &slot) in group.slots[..group.len].iter().enumerate() {
            let velocity = kernel.embed(core::array::from_fn(|d| points.velocities[d][slot]));
            let mut facing = direction(velocity);
            if facing == Vec3::ZERO {
                let standing = &kernel.kinds.standing[kernel.plane as usize];
                let own = kernel.plane_index().entry(slot) as u32;
                let found = standing.binary_search_by_key(&own, |&(entry, _)| entry);
                facing = found.map_or(Vec3::ZERO, |i| standing[i].1);
            }
            for d in 0..D {
                all[d][i] = facing[kernel.axes[d]];
            }
        }
        all
    }

    #[inline(always)]
    fn number(&self, f: fn(&FlockParams) -> f32) -> L::F {
        if self.is_mixed { self.l.pack(self.kinds.map(f)) } else { self.l.splat(f(self.kinds[0])) }
    }

    /// The sums over everybody in the radius: for agents that see all round, in every layer, and nobody too many.
    #[inline(always)]
    pub(super) fn sum_all(
        &self,
        kernel: &FlockKernel<D>,
        group: &Group,
        points: &Points<D>,
        reach: &Candidates<D>,
    ) -> Sums<L, D> {
        let l = self.l;
        let one_place = self.number(|kind| kind.one_place);
        let all = l.outlined(SumAll { lane: self, points, reach, one_place });
        let (mut sums, crowded) = self.without_self(all);
        self.mend(crowded, kernel, group, points, reach, &[[0.0; WIDTH]; D], &mut sums);
        sums
    }

    /// Takes the agents themselves, whom they have counted, off their sums. Tells also who seems to share its place with somebody, one
    /// bit each.
    #[inline(always)]
    pub(super) fn without_self(&self, all: SumsOfAll<L, D>) -> (Sums<L, D>, u8) {
        let l = self.l;
        let SumsOfAll { counts, shares, offsets, mut velocities, separations } = all;
        for (sum, own) in velocities.iter_mut().zip(self.velocity) {
            *sum = l.sub(*sum, own);
        }
        let count = l.sub(counts, l.splat(1.0));
        let partings = [l.splat(0.0); D];
        // Who is in the very place has a share so large that all others hardly count: the sum tells that there is more than one
        // such, oneself, and costs less than to count them. Where it is wrong, nobody is found to part from.
        let one_place = self.number(|kind| kind.one_place);
        let in_place = separation_share(l, l.splat(0.0), self.separation_squared, one_place);
        let more_than_one = l.le(shares, l.mul(in_place, l.splat(1.5)));
        let crowded = l.bits(l.and(self.used, more_than_one));
        (Sums { count, offsets, velocities, separations, partings }, crowded)
    }

    /// Whether none of them has more mates than it looks at.
    #[inline(always)]
    pub(super) fn are_content(&self, sums: &Sums<L, D>) -> bool {
        let l = self.l;
        let most = self.number(|kind| kind.max_neighbors as f32);
        l.bits(l.and(self.used, l.lt(most, sums.count))) == 0
    }

    /// The sums over as many as each agent is content with, of those it can see. With `FILTER` that is a matter of layers, view
    /// angles or a world that is not much wider than the radius.
    #[inline(always)]
    pub(super) fn sum_some<const FILTER: bool>(
        &self,
        kernel: &FlockKernel<D>,
        group: &Group,
        points: &Points<D>,
        reach: &Candidates<D>,
    ) -> Sums<L, D> {
        let l = self.l;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let one_place = self.number(|kind| kind.one_place);
        let (mut count, mut in_place) = (zero, zero);
        let most = self.number(|kind| kind.max_neighbors as f32);
        let (mut offsets, mut velocities, mut separations) = ([zero; D], [zero; D], [zero; D]);
        let own = group.slots[0]..group.slots[group.len - 1] + 1;
        let [periods, per_period] = if FILTER { self.periods(reach) } else { [[zero; D]; 2] };
        let facings = if FILTER { self.facing(kernel, group, points) } else { [[0.0; WIDTH]; D] };
        let facing = facings.map(|facing| l.pack(facing));
        let least_cos = self.number(|kind| kind.least_cos.unwrap_or(-2.0));
        for (first, stride) in strides(reach.candidates, self.fewest as usize) {
            let mut before = 0;
            for run in &reach.runs {
                let from = self.seen_from(run);
                let positions: [&[f32]; D] =
                    core::array::from_fn(|d| &points.positions[d][..run.end]);
                let others: [&[f32]; D] =
                    core::array::from_fn(|d| &points.velocities[d][..run.end]);
                let mut slot = first_in(run, before, first, stride);
                before += run.end - run.start;
                while slot < run.end {
                    let mut seen = self.used;
                    if own.contains(&slot) {
                        seen = l.from_bits(FlockKernel::<D>::others(group, slot));
                    }
                    if FILTER {
                        let layers = kernel.layers_of(slot);
                        let mask = |i: usize| u32::from(layers & self.kinds[i].layers != 0) << i;
                        let in_layers = if self.is_mixed {
                            l.from_bits((0..WIDTH).map(mask).sum::<u32>() as u8)
                        } else if mask(0) != 0 {
                            self.used
                        } else {
                            slot += stride;
                            continue;
                        };
                        seen = l.and(seen, in_layers);
                    }
                    let mut offset: [L::F; D] =
                        core::array::from_fn(|d| l.sub(l.splat(positions[d][slot]), from[d]));
                    if FILTER && reach.periods.is_some() {
                        for d in 0..D {
                            let turns = self.round(l.mul(offset[d], per_period[d]));
                            offset[d] = l.sub(offset[d], l.mul(periods[d], turns));
                        }
                    }
                    let squared = product(l, offset, offset);
                    if FILTER {
                        let ahead = product(l, facing, offset);
                        let in_view = l.le(l.mul(least_cos, l.sqrt(squared)), ahead);
                        seen = l.and(seen, in_view);
                    }
                    let near = l.and(l.le(squared, self.radius_squared), l.lt(count, most));
                    let near = l.and(near, seen);
                    count = l.add(count, l.mask(near, one));
                    let is_here = l.and(near, l.le(squared, one_place));
                    in_place = l.add(in_place, l.mask(is_here, one));
                    let share = separation_share(l, squared, self.separation_squared, one_place);
                    let share = l.mask(near, share);
                    for d in 0..D {
                        offsets[d] = l.add(offsets[d], l.mask(near, offset[d]));
                        let velocity = l.splat(others[d][slot]);
                        velocities[d] = l.add(velocities[d], l.mask(near, velocity));
                        separations[d] = l.add(separations[d], l.mul(offset[d], share));
                    }
                    slot += stride;
                }
            }
            if l.bits(l.and(self.used, l.lt(count, most))) == 0 {
                break;
            }
        }
        let mut sums = Sums { count, offsets, velocities, separations, partings: [zero; D] };
        let crowded = l.bits(l.and(self.used, l.lt(l.splat(0.5), in_place)));
        self.mend(crowded, kernel, group, points, reach, &facings, &mut sums);
        sums
    }

    /// Where the agents are in the world that a run is in.
    #[inline(always)]
    pub(super) fn seen_from(&self, run: &Run<D>) -> [L::F; D] {
        let l = self.l;
        core::array::from_fn(|d| l.sub(self.position[d], l.splat(run.shift[d])))
    }

    /// To the nearest whole number.
    #[inline(always)]
    fn round(&self, x: L::F) -> L::F {
        // Beside this number there is no room for a fraction.
        let l = self.l;
        let large = l.splat(12_582_912.0);
        l.sub(l.add(x, large), large)
    }

    fn periods(&self, reach: &Candidates<D>) -> [[L::F; D]; 2] {
        let periods = reach.periods.unwrap_or([0.0; D]);
        let per = periods.map(|period| if period > 0.0 { 1.0 / period } else { 0.0 });
        [periods.map(|x| self.l.splat(x)), per.map(|x| self.l.splat(x))]
    }

    /// Adds the partings of those who share their place with somebody, one by one: they need a way to part.
    #[inline(always)]
    fn mend(
        &self,
        crowded: u8,
        kernel: &FlockKernel<D>,
        group: &Group,
        points: &Points<D>,
        reach: &Candidates<D>,
        facings: &[[f32; WIDTH]; D],
        sums: &mut Sums<L, D>,
    ) {
        if crowded != 0 {
            let l = self.l;
            let mut partings = [[0.0; WIDTH]; D];
            for i in (0..group.len).filter(|i| crowded >> i & 1 == 1) {
                let facing = facings.map(|facing| facing[i]);
                let own =
                    CoincidentAgent { lane: i, slot: group.slots[i], kind: self.kinds[i], facing };
                kernel.part(&own, self.fewest, points, reach, &mut partings);
            }
            for (sum, partings) in sums.partings.iter_mut().zip(partings) {
                *sum = l.pack(partings);
            }
        }
    }

    /// The sum of the three rules.
    #[inline(always)]
    pub(super) fn wish(&self, sums: &Sums<L, D>) -> [[f32; WIDTH]; D] {
        let l = self.l;
        let one = l.splat(1.0);
        let count = sums.count;
        let has_mates = l.lt(l.splat(0.5), count);
        let share = l.div(one, l.max(count, one));

        let per_separation = self.number(|kind| kind.per_separation);
        let mut separation = sums.partings;
        for (sum, pushes) in separation.iter_mut().zip(sums.separations) {
            *sum = l.add(l.mul(pushes, per_separation), *sum);
        }
        let squared = product(l, separation, separation);
        let truncation = l.min(l.div(one, l.sqrt(squared)), one);
        let apart = l.mul(self.number(|kind| kind.apart), truncation);

        let along = self.number(|kind| kind.along);
        let together = l.mul(self.number(|kind| kind.together), share);
        // By hand, as in `load`.
        let mut wishes = [[0.0; WIDTH]; D];
        for d in 0..D {
            let mean_velocity = l.mul(sums.velocities[d], share);
            let wish = l.mul(separation[d], apart);
            let wish = l.add(wish, l.mul(l.sub(mean_velocity, self.velocity[d]), along));
            let wish = l.add(wish, l.mul(sums.offsets[d], together));
            wishes[d] = l.unpack(l.mask(has_mates, wish));
        }
        wishes
    }
}
