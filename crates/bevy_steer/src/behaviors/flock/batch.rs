//! [`Batch`]: the rules of a flock for eight agents in lanes, also where some are in the very same
//! place.
//!
//! A flock spends its time in two loops over the points in reach of a group. [`SumAll`] is over all
//! of them, [`SumSome`] over those that each agent sees, and as many as it looks at: for view
//! angles, crowds, very small worlds, and neighbours that look at different layers.

use bevy::prelude::*;

use crate::{
    agent::HeightSpan,
    behaviors::flock::{
        kernel::Group,
        params::{FlockContext, FlockParams},
    },
    neighbors::{Candidates, Run},
    simd::{Lanes, Outlined, WIDTH, pack},
};

/// A group in lanes.
pub(super) struct Batch<'a, L: Lanes, const D: usize> {
    l: L,
    context: &'a FlockContext<'a, D>,
    group: &'a Group,
    /// By reference: copying word by word what was just written would wait for it.
    params: &'a [&'a FlockParams; WIDTH],
    position: [L::F; D],
    velocity: [L::F; D],
    used: L::M,
    limits: Limits<L>,
    /// The smallest `max_neighbors` of any of them.
    fewest: u32,
    /// Whether any of them has a limited view angle, or their layers differ.
    filters: bool,
}

impl<'a, L: Lanes, const D: usize> Batch<'a, L, D> {
    #[inline(always)]
    pub(super) fn load(
        l: L,
        context: &'a FlockContext<'a, D>,
        group: &'a Group,
        params: &'a [&'a FlockParams; WIDTH],
    ) -> Self {
        let (mut fewest, mut filters) = (u32::MAX, false);
        let layers = params[0].layers;
        for params in params {
            fewest = fewest.min(params.max_neighbors);
            filters |= params.min_cos.is_some() || params.layers != layers;
        }
        // The loop for those that are not filtered takes it that each counts for itself.
        for &slot in &group.slots[..group.len] {
            filters |= context.layers_of(slot) & layers == 0;
        }
        // A closure would be compiled by itself, without the instructions of the lanes.
        let (mut position, mut velocity) = ([l.splat(0.0); D], [l.splat(0.0); D]);
        for d in 0..D {
            position[d] = group.load(l, context.positions[d]);
            velocity[d] = group.load(l, context.velocities[d]);
        }
        let limits = Limits {
            radius_squared: number(l, params, |params| params.radius_squared),
            separation_squared: number(l, params, |params| params.separation_squared),
            coincident_squared: number(l, params, |params| params.coincident_squared),
        };
        let used = l.bits_to_mask(((1_u32 << group.len) - 1) as u8);
        Self { l, context, group, params, position, velocity, used, limits, fewest, filters }
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
            low[d] = own.into_iter().fold(own[0], |a, b| if a < b { a } else { b });
            high[d] = own.into_iter().fold(own[0], |a, b| if a > b { a } else { b });
        }
        (low, high, self.params.iter().map(|params| params.radius).fold(0.0, f32::max))
    }

    /// Their extents along the normal.
    #[inline(always)]
    fn spans(&self) -> [L::F; 2] {
        let mut spans = [[0.0; WIDTH]; 2];
        for (i, &slot) in self.group.slots[..self.group.len].iter().enumerate() {
            let HeightSpan { low, high } = self.context.span_of(slot).unwrap_or_default();
            (spans[0][i], spans[1][i]) = (low, high);
        }
        spans.map(|ends| self.l.pack(ends))
    }

    /// The sums of agents that see everything in their radius; with `SOME`, what is level with them
    /// and in their layers.
    #[inline(always)]
    fn sum<const SOME: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
        // Usually few of the candidates are neighbours, so it is faster to count too many at times.
        let is_crowd = candidates.is_crowd(self.fewest);
        let all = if is_crowd { None } else { self.sum_all::<SOME>(candidates) };
        all.unwrap_or_else(|| self.sum_some::<SOME>(candidates))
    }

    /// The sums over all candidates in the radius, with `SOME` those that count, for agents that
    /// see all of these; `None` if there are more neighbours than one of them looks at.
    #[inline(always)]
    fn sum_all<const SOME: bool>(&self, candidates: &Candidates<D>) -> Option<Sums<L, D>> {
        let l = self.l;
        let Self { context, position, limits, .. } = *self;
        let span = if SOME { self.spans() } else { [l.splat(0.0); 2] };
        let layers = self.params[0].layers;
        let sum = SumAll::<_, D, SOME> { context, position, span, layers, limits, candidates };
        let (mut sums, factors) = l.outlined(sum);
        // Each agent has counted itself.
        for (sum, own) in sums.velocities.iter_mut().zip(self.velocity) {
            *sum = l.sub(*sum, own);
        }
        sums.count = l.sub(sums.count, l.splat(1.0));
        let most = number(l, self.params, |params| params.max_neighbors as f32);
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
    #[inline(always)]
    fn sum_some<const FILTER: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
        let l = self.l;
        let slots = &self.group.slots[..self.group.len];
        let mut facings = [[0.0; WIDTH]; D];
        let mut span = [l.splat(0.0); 2];
        if FILTER {
            span = self.spans();
            for (i, &slot) in slots.iter().enumerate() {
                let facing = self.context.facing(slot);
                (0..D).for_each(|d| facings[d][i] = facing[d]);
            }
        }
        let sum = SumSome::<_, D, FILTER> {
            batch: self,
            span,
            facing: facings.map(|facing| l.pack(facing)),
            min_cos: number(l, self.params, |params| params.min_cos.unwrap_or(-2.0)),
            most: number(l, self.params, |params| params.max_neighbors as f32),
            candidates,
        };
        let (mut sums, coincident) = l.outlined(sum);
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
    pub(super) fn change(&self, candidates: &Candidates<D>) -> [[f32; WIDTH]; D] {
        let l = self.l;
        let sums = if self.filters || candidates.periods.is_some() {
            self.sum_some::<true>(candidates)
        } else if self.context.may_not_count() {
            self.sum::<true>(candidates)
        } else {
            self.sum::<false>(candidates)
        };
        let one = l.splat(1.0);
        let count = sums.count;
        let has_neighbors = l.lt(l.splat(0.5), count);
        let share = l.div(one, l.max(count, one));

        let per_separation = number(l, self.params, |params| params.per_separation);
        let mut separation = sums.partings;
        for (sum, pushes) in separation.iter_mut().zip(sums.separations) {
            *sum = l.add(l.mul(pushes, per_separation), *sum);
        }
        let squared = product(l, separation, separation);
        let truncation = l.min(l.div(one, l.sqrt(squared)), one);

        let apart = l.mul(number(l, self.params, |params| params.separation), truncation);
        let along = number(l, self.params, |params| params.alignment);
        let together = l.mul(number(l, self.params, |params| params.cohesion), share);
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

/// A parameter of each agent.
#[inline(always)]
fn number<L: Lanes>(l: L, params: &[&FlockParams; WIDTH], f: fn(&FlockParams) -> f32) -> L::F {
    pack!(l, i => f(params[i]))
}

/// The scalar product of vectors of `D` coordinates.
#[inline(always)]
fn product<L: Lanes, const D: usize>(l: L, a: [L::F; D], b: [L::F; D]) -> L::F {
    let mut sum = l.mul(a[0], b[0]);
    for d in 1..D {
        sum = l.add(sum, l.mul(a[d], b[d]));
    }
    sum
}

/// The contribution of one neighbour to separation, as a factor on its offset: `1 − s²/d²`, and
/// nothing beyond `s`.
#[inline(always)]
fn separation_factor<L: Lanes>(l: L, squared: L::F, limits: &Limits<L>) -> L::F {
    // As `(d² − s²)/d²`, which needs fewer registers, of which these loops have too few.
    let squared = l.max(squared, limits.coincident_squared);
    l.min(l.div(l.sub(squared, limits.separation_squared), squared), l.splat(0.0))
}

/// The squares of the distances that matter to each agent.
#[derive(Clone, Copy)]
struct Limits<L: Lanes> {
    radius_squared: L::F,
    separation_squared: L::F,
    coincident_squared: L::F,
}

/// Sums over the neighbours of each agent of a group.
struct Sums<L: Lanes, const D: usize> {
    count: L::F,
    offsets: [L::F; D],
    velocities: [L::F; D],
    separations: [L::F; D],
    /// The directions away from coincident neighbours, which have no offset.
    partings: [L::F; D],
}

/// The loop of [`Batch::sum_all`].
struct SumAll<'a, L: Lanes, const D: usize, const SOME: bool> {
    context: &'a FlockContext<'a, D>,
    position: [L::F; D],
    /// From where to where they reach along the normal.
    span: [L::F; 2],
    /// The layers at which they look.
    layers: u32,
    limits: Limits<L>,
    candidates: &'a Candidates<D>,
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

/// The loop of [`Batch::sum_some`].
struct SumSome<'a, L: Lanes, const D: usize, const FILTER: bool> {
    batch: &'a Batch<'a, L, D>,
    /// From where to where they reach along the normal.
    span: [L::F; 2],
    facing: [L::F; D],
    /// The cosines of half their view angles.
    min_cos: L::F,
    /// The most neighbours that each looks at.
    most: L::F,
    candidates: &'a Candidates<D>,
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

/// One agent of a group.
struct CoincidentAgent<'a, const D: usize> {
    pub slot: usize,
    pub params: &'a FlockParams,
    pub facing: [f32; D],
}

impl<const D: usize> CoincidentAgent<'_, D> {
    /// The sum of the directions in which the agent leaves the neighbours in its place. Looks at
    /// the same neighbours as the lanes did, in the same order.
    #[cold]
    #[inline(never)]
    fn parting(
        &self,
        context: &FlockContext<D>,
        candidates: &Candidates<D>,
        fewest: u32,
    ) -> [f32; D] {
        let id = |slot: usize| context.index.id(context.own, slot).0;
        let (mut parting, mut seen) = (Vec3::ZERO, 0);
        let most = self.params.max_neighbors;
        for round in candidates.rounds(fewest) {
            for (run, slot) in round {
                if seen < most
                    && let Some(squared) = self.squared_distance(context, candidates, run, slot)
                {
                    seen += 1;
                    if squared <= self.params.coincident_squared {
                        parting += context.plane.parting(id(self.slot), id(slot));
                    }
                }
            }
            if seen >= most {
                break;
            }
        }
        context.axes.map(|axis| parting[axis])
    }

    /// The square of the distance of a candidate, if it is a neighbour.
    fn squared_distance(
        &self,
        context: &FlockContext<D>,
        candidates: &Candidates<D>,
        run: &Run<D>,
        slot: usize,
    ) -> Option<f32> {
        let Self { slot: own, params, facing } = self;
        let offset: [f32; D] = core::array::from_fn(|d| {
            let places = context.positions[d];
            let offset = places[slot] - (places[*own] - run.shift[d]);
            match candidates.periods {
                Some(periods) if periods[d] > 0.0 => {
                    let turns = (offset * (1.0 / periods[d])).round_ties_even();
                    offset - periods[d] * turns
                }
                _ => offset,
            }
        });
        let squared = offset[1..].iter().fold(offset[0] * offset[0], |sum, x| sum + x * x);
        let is_near = squared <= params.radius_squared && slot != *own;
        let is_neighbor = is_near
            && context.layers_of(slot) & params.layers != 0
            && context.are_level(*own, slot);
        let is_seen = params.min_cos.is_none_or(|min_cos| {
            let ahead: f32 = facing.iter().zip(offset).map(|(facing, x)| facing * x).sum();
            min_cos * squared.sqrt() <= ahead
        });
        (is_neighbor && is_seen).then_some(squared)
    }
}
