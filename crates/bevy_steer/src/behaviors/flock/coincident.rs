//! Agents in the very same place: the direction in which each of them leaves.

use bevy::prelude::*;

use crate::{
    behaviors::flock::{context::FlockContext, params::FlockParams},
    neighbors::{Candidates, Run},
};

/// One agent of a group.
pub(super) struct CoincidentAgent<'a, const D: usize> {
    pub slot: usize,
    pub params: &'a FlockParams,
    pub facing: [f32; D],
}

impl<const D: usize> CoincidentAgent<'_, D> {
    /// The sum of the directions in which the agent leaves the neighbours in its place. Looks at
    /// the same neighbours as the lanes did, in the same order.
    #[cold]
    #[inline(never)]
    pub(super) fn parting(
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
