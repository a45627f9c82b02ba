//! Agents in one place: which way each of them goes.

use bevy::prelude::*;

use crate::{
    behaviors::flock::{
        candidates::Candidates,
        kernel::{FlockKernel, Points, first_in, strides},
        params::FlockParams,
    },
    simd::lanes::WIDTH,
};

/// One agent of a group.
pub(super) struct CoincidentAgent<'a, const D: usize> {
    pub(super) lane: usize,
    pub(super) slot: usize,
    pub(super) kind: &'a FlockParams,
    pub(super) facing: [f32; D],
}

impl<const D: usize> FlockKernel<'_, D> {
    /// Adds up the ways in which an agent parts from the mates that are in its very place. Looks at the same mates as the lanes
    /// did, in the same order.
    #[cold]
    #[inline(never)]
    pub(super) fn part(
        &self,
        own: &CoincidentAgent<D>,
        fewest: u32,
        points: &Points<D>,
        reach: &Candidates<D>,
        partings: &mut [[f32; WIDTH]; D],
    ) {
        let id = |slot: usize| self.index.id(self.plane_index(), slot).0;
        let own_number = id(own.slot);
        let mut parting = Vec3::ZERO;
        let mut seen = 0;
        for (first, stride) in strides(reach.candidates, fewest as usize) {
            let mut before = 0;
            for run in &reach.runs {
                let mut slot = first_in(run, before, first, stride);
                before += run.end - run.start;
                while slot < run.end && seen < own.kind.max_neighbors {
                    if let Some(squared) =
                        self.squared_distance(own, slot, run.shift, points, reach)
                    {
                        seen += 1;
                        if squared <= own.kind.one_place {
                            parting += self.plane.parting(own_number, id(slot));
                        }
                    }
                    slot += stride;
                }
            }
        }
        for d in 0..D {
            partings[d][own.lane] = parting[self.axes[d]];
        }
    }

    /// The square of the distance of a mate, if it is one.
    fn squared_distance(
        &self,
        own: &CoincidentAgent<D>,
        slot: usize,
        shift: [f32; D],
        points: &Points<D>,
        reach: &Candidates<D>,
    ) -> Option<f32> {
        let offset: [f32; D] = core::array::from_fn(|d| {
            let offset = points.positions[d][slot] - (points.positions[d][own.slot] - shift[d]);
            match reach.periods {
                Some(periods) if periods[d] > 0.0 => {
                    let turns = (offset * (1.0 / periods[d])).round_ties_even();
                    offset - periods[d] * turns
                }
                _ => offset,
            }
        });
        let squared = offset[1..].iter().fold(offset[0] * offset[0], |sum, x| sum + x * x);
        let is_near = squared <= own.kind.radius_squared && slot != own.slot;
        let is_mate = is_near && self.layers_of(slot) & own.kind.layers != 0;
        let is_seen = own.kind.least_cos.is_none_or(|least_cos| {
            let ahead: f32 = own.facing.iter().zip(offset).map(|(facing, x)| facing * x).sum();
            least_cos * squared.sqrt() <= ahead
        });
        (is_mate && is_seen).then_some(squared)
    }
}
