//! [`Batch`]: the rules of a flock for eight agents in lanes, also where some are in the very same
//! place.

use bevy::prelude::*;

use crate::{
    agent::HeightSpan,
    behaviors::flock::{
        kernel::Group,
        params::{FlockContext, FlockParams},
        sums::{Limits, SumAll, SumSome, Sums, product, separation_factor},
    },
    neighbors::{Candidates, Run},
    simd::{Lanes, WIDTH, pack},
};

/// A group in lanes.
pub(super) struct Batch<'a, L: Lanes, const D: usize> {
    l: L,
    pub context: &'a FlockContext<'a, D>,
    pub group: &'a Group,
    /// By reference: copying word by word what was just written would wait for it.
    pub params: &'a [&'a FlockParams; WIDTH],
    pub position: [L::F; D],
    velocity: [L::F; D],
    pub used: L::M,
    pub limits: Limits<L>,
    /// The smallest `max_neighbors` of any of them.
    pub fewest: u32,
    /// Whether any of them has a limited view angle, or their layers differ.
    pub filters: bool,
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
    pub(super) fn sum<const SOME: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
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
    pub(super) fn sum_some<const FILTER: bool>(&self, candidates: &Candidates<D>) -> Sums<L, D> {
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
    pub(super) fn change(&self, sums: &Sums<L, D>) -> [[f32; WIDTH]; D] {
        let l = self.l;
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
