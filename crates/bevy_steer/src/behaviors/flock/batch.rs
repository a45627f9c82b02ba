//! The flock for eight agents at a time.

use crate::{
    behaviors::flock::{
        coincident::CoincidentAgent,
        context::FlockContext,
        params::FlockParams,
        sums::{Limits, SumAll, Sums, product, separation_factor},
    },
    ecs::columns::block,
    neighbors::{Candidates, Run},
    simd::lanes::{Lanes, WIDTH, pack},
};

/// Up to eight agents that look at the same points.
pub(super) struct Group {
    pub(super) slots: [usize; WIDTH],
    /// The indices of their parameters.
    pub(super) sets: [u32; WIDTH],
    pub(super) len: usize,
}

impl Group {
    /// Their numbers in a column. Unused lanes have those of the first agent or of following slots.
    #[inline(always)]
    fn load<L: Lanes>(&self, l: L, column: &[f32]) -> L::F {
        let first = self.slots[0];
        if self.slots[WIDTH - 1] == first + WIDTH - 1 {
            return l.pack(*block(column, first));
        }
        pack!(l, i => column[self.slots[if i < self.len { i } else { 0 }]])
    }

    /// The agents that are not in this slot, one bit each.
    fn others(&self, slot: usize) -> u8 {
        let other = |(i, &own): (usize, &usize)| u8::from(own != slot) << i;
        self.slots[..self.len].iter().enumerate().map(other).sum()
    }
}

/// A group side by side.
pub(super) struct Batch<'a, L: Lanes, const D: usize> {
    l: L,
    context: &'a FlockContext<'a, D>,
    group: &'a Group,
    /// By reference: copying word by word what was just written would wait for it.
    params: &'a [&'a FlockParams; WIDTH],
    /// Whether they differ.
    is_mixed: bool,
    position: [L::F; D],
    velocity: [L::F; D],
    used: L::M,
    limits: Limits<L>,
    /// The smallest `max_neighbors` of any of them.
    fewest: u32,
    /// Whether any of them does not see everything in its radius that is level with it.
    pub(super) filters: bool,
}

impl<'a, L: Lanes, const D: usize> Batch<'a, L, D> {
    #[inline(always)]
    pub(super) fn load(
        l: L,
        context: &'a FlockContext<'a, D>,
        group: &'a Group,
        params: &'a [&'a FlockParams; WIDTH],
        is_mixed: bool,
    ) -> Self {
        let number = |f: fn(&FlockParams) -> f32| {
            if is_mixed { l.pack(params.map(f)) } else { l.splat(f(params[0])) }
        };
        let (mut fewest, mut filters) = (u32::MAX, false);
        let layers = context.index.layers.same();
        for params in if is_mixed { &params[..] } else { &params[..1] } {
            fewest = fewest.min(params.max_neighbors);
            filters |=
                params.min_cos.is_some() || layers.is_none_or(|all| all & params.layers == 0);
        }
        // A closure would be compiled by itself, without the instructions of the lanes.
        let (mut position, mut velocity) = ([l.splat(0.0); D], [l.splat(0.0); D]);
        for d in 0..D {
            position[d] = group.load(l, context.points.positions[d]);
            velocity[d] = group.load(l, context.points.velocities[d]);
        }
        let limits = Limits {
            radius_squared: number(|params| params.radius_squared),
            separation_squared: number(|params| params.separation_squared),
            coincident_squared: number(|params| params.coincident_squared),
        };
        let used = l.bits_to_mask(((1_u32 << group.len) - 1) as u8);
        Self {
            l,
            context,
            group,
            params,
            is_mixed,
            position,
            velocity,
            used,
            limits,
            fewest,
            filters,
        }
    }

    /// The smallest box about them, and the largest of their radii.
    #[inline(always)]
    pub(super) fn surroundings(&self) -> ([f32; D], [f32; D], f32) {
        let l = self.l;
        let (mut low, mut high) = ([0.0; D], [0.0; D]);
        for d in 0..D {
            let all = l.unpack(self.position[d]);
            // Unused lanes do not count.
            let own = l.unpack(l.select(self.used, self.position[d], l.splat(all[0])));
            low[d] = folded(own, |a, b| if a < b { a } else { b });
            high[d] = folded(own, |a, b| if a > b { a } else { b });
        }
        let radii = if self.is_mixed { &self.params[..] } else { &self.params[..1] };
        (low, high, radii.iter().map(|params| params.radius).fold(0.0, f32::max))
    }

    #[inline(always)]
    fn number(&self, f: fn(&FlockParams) -> f32) -> L::F {
        if self.is_mixed {
            self.l.pack(self.params.map(f))
        } else {
            self.l.splat(f(self.params[0]))
        }
    }

    /// How far they reach along the normal.
    #[inline(always)]
    fn spans(&self) -> [L::F; 2] {
        let mut spans = [[0.0; WIDTH]; 2];
        for (i, &slot) in self.group.slots[..self.group.len].iter().enumerate() {
            let [low, high] = self.context.span_of(slot).unwrap_or_default();
            (spans[0][i], spans[1][i]) = (low, high);
        }
        spans.map(|ends| self.l.pack(ends))
    }

    /// The sums of agents that see everything in their radius; with `LEVEL`, what is level with
    /// them.
    #[inline(always)]
    pub(super) fn sum<const LEVEL: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
        // Mostly few of the candidates are neighbours; counting too many now and then is quicker.
        let is_crowd = candidates.is_crowd(self.fewest);
        let all = if is_crowd { None } else { self.sum_all::<LEVEL>(candidates) };
        all.unwrap_or_else(|| self.sum_some::<LEVEL>(candidates))
    }

    /// The sums over all candidates in the radius, with `LEVEL` those that are level with them, for
    /// agents that see all of these; `None` if there are more neighbours than one of them looks at.
    #[inline(always)]
    fn sum_all<const LEVEL: bool>(&self, candidates: &Candidates<D>) -> Option<Sums<L, D>> {
        let l = self.l;
        let Self { context, position, limits, .. } = *self;
        let span = if LEVEL { self.spans() } else { [l.splat(0.0); 2] };
        let sum = SumAll::<_, D, LEVEL> { context, position, span, limits, candidates };
        let (mut sums, factors) = l.outlined(sum);
        // They have counted themselves.
        for (sum, own) in sums.velocities.iter_mut().zip(self.velocity) {
            *sum = l.sub(*sum, own);
        }
        sums.count = l.sub(sums.count, l.splat(1.0));
        let most = self.number(|params| params.max_neighbors as f32);
        if l.bits(l.and(self.used, l.lt(most, sums.count))) != 0 {
            return None;
        }
        // The factor of a coincident point is so large that all others hardly count, so the sum
        // tells whether there is one besides the agent, cheaper than counting. Where it is wrong,
        // no neighbour is found to part from.
        let coincident = separation_factor(l, l.splat(0.0), &self.limits);
        let has_coincident = l.le(factors, l.mul(coincident, l.splat(1.5)));
        let has_coincident = l.bits(l.and(self.used, has_coincident));
        self.add_partings(has_coincident, candidates, &[[0.0; WIDTH]; D], &mut sums);
        Some(sums)
    }

    /// The sums over as many neighbours as each agent looks at, of those that it can see. With
    /// `FILTER` that depends on layers, levels, view angles or a world hardly wider than the
    /// radius.
    #[allow(clippy::needless_range_loop, reason = "one index for several arrays")]
    #[inline(always)]
    pub(super) fn sum_some<const FILTER: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
        let l = self.l;
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let most = self.number(|params| params.max_neighbors as f32);
        let min_cos = self.number(|params| params.min_cos.unwrap_or(-2.0));
        let mut coincident = zero;
        let mut sums = Sums {
            count: zero,
            offsets: [zero; D],
            velocities: [zero; D],
            separations: [zero; D],
            partings: [zero; D],
        };
        let slots = &self.group.slots[..self.group.len];
        let own = slots[0]..slots[slots.len() - 1] + 1;
        let mut facings = [[0.0; WIDTH]; D];
        let mut span = [zero; 2];
        if FILTER {
            span = self.spans();
            for (i, &slot) in slots.iter().enumerate() {
                let facing = self.context.facing(slot);
                (0..D).for_each(|d| facings[d][i] = facing[d]);
            }
        }
        let facing = facings.map(|facing| l.pack(facing));
        let points = &self.context.points;
        let look_at = |sums: &mut Sums<L, D>, run: &Run<D>, slot: usize| {
            let mut seen = self.used;
            if own.contains(&slot) {
                seen = l.bits_to_mask(self.group.others(slot));
            }
            if FILTER {
                let layers = self.context.layers_of(slot);
                let bit = |i: usize| u32::from(layers & self.params[i].layers != 0) << i;
                let in_layers = (0..WIDTH).map(bit).sum::<u32>() as u8;
                if in_layers == 0 {
                    return;
                }
                seen = l.and(seen, l.bits_to_mask(in_layers));
                seen = l.and(seen, self.context.is_level(l, slot, span));
            }
            let mut offset = [zero; D];
            for d in 0..D {
                let from = l.sub(self.position[d], l.splat(run.shift[d]));
                offset[d] = l.sub(l.splat(points.positions[d][slot]), from);
            }
            if FILTER && let Some(periods) = candidates.periods {
                for d in (0..D).filter(|&d| periods[d] > 0.0) {
                    let turns = l.round(l.mul(offset[d], l.splat(1.0 / periods[d])));
                    offset[d] = l.sub(offset[d], l.mul(l.splat(periods[d]), turns));
                }
            }
            let squared = product(l, offset, offset);
            if FILTER {
                let ahead = product(l, facing, offset);
                seen = l.and(seen, l.le(l.mul(min_cos, l.sqrt(squared)), ahead));
            }
            let near = l.and(l.le(squared, self.limits.radius_squared), l.lt(sums.count, most));
            let near = l.and(near, seen);
            sums.count = l.add(sums.count, l.mask(near, one));
            let is_coincident = l.and(near, l.le(squared, self.limits.coincident_squared));
            coincident = l.add(coincident, l.mask(is_coincident, one));
            let factor = l.mask(near, separation_factor(l, squared, &self.limits));
            for d in 0..D {
                let velocity = l.splat(points.velocities[d][slot]);
                sums.offsets[d] = l.add(sums.offsets[d], l.mask(near, offset[d]));
                sums.velocities[d] = l.add(sums.velocities[d], l.mask(near, velocity));
                sums.separations[d] = l.add(sums.separations[d], l.mul(offset[d], factor));
            }
        };
        let is_enough =
            |sums: &mut Sums<L, D>| l.bits(l.and(self.used, l.lt(sums.count, most))) == 0;
        candidates.for_each_spread(self.fewest, &mut sums, look_at, is_enough);
        let has_coincident = l.bits(l.and(self.used, l.lt(l.splat(0.5), coincident)));
        self.add_partings(has_coincident, candidates, &facings, &mut sums);
        sums
    }

    /// Adds the partings of those agents that have coincident neighbours, one by one.
    #[inline(always)]
    fn add_partings(
        &self,
        has_coincident: u8,
        candidates: &Candidates<D>,
        facings: &[[f32; WIDTH]; D],
        sums: &mut Sums<L, D>,
    ) {
        if has_coincident == 0 {
            return;
        }
        let mut partings = [[0.0; WIDTH]; D];
        for i in (0..self.group.len).filter(|i| has_coincident >> i & 1 == 1) {
            let facing = facings.map(|facing| facing[i]);
            let (slot, params) = (self.group.slots[i], self.params[i]);
            let agent = CoincidentAgent { slot, params, facing };
            let parting = agent.parting(self.context, candidates, self.fewest);
            (0..D).for_each(|d| partings[d][i] = parting[d]);
        }
        sums.partings = partings.map(|partings| self.l.pack(partings));
    }

    /// The change of velocity that the three rules come to.
    #[inline(always)]
    pub(super) fn change(&self, sums: &Sums<L, D>) -> [[f32; WIDTH]; D] {
        let l = self.l;
        let one = l.splat(1.0);
        let count = sums.count;
        let has_neighbors = l.lt(l.splat(0.5), count);
        let share = l.div(one, l.max(count, one));

        let per_separation = self.number(|params| params.per_separation);
        let mut separation = sums.partings;
        for (sum, pushes) in separation.iter_mut().zip(sums.separations) {
            *sum = l.add(l.mul(pushes, per_separation), *sum);
        }
        let squared = product(l, separation, separation);
        let truncation = l.min(l.div(one, l.sqrt(squared)), one);

        let apart = l.mul(self.number(|params| params.separation), truncation);
        let along = self.number(|params| params.alignment);
        let together = l.mul(self.number(|params| params.cohesion), share);
        let mut changes = [[0.0; WIDTH]; D];
        for d in 0..D {
            let mean_velocity = l.mul(sums.velocities[d], share);
            let change = l.mul(separation[d], apart);
            let change = l.add(change, l.mul(l.sub(mean_velocity, self.velocity[d]), along));
            let change = l.add(change, l.mul(sums.offsets[d], together));
            changes[d] = l.unpack(l.mask(has_neighbors, change));
        }
        changes
    }
}

/// Combines eight numbers, two at a time.
#[inline(always)]
fn folded([a, b, c, d, e, f, g, h]: [f32; WIDTH], of: impl Fn(f32, f32) -> f32) -> f32 {
    of(of(of(a, b), of(c, d)), of(of(e, f), of(g, h)))
}
