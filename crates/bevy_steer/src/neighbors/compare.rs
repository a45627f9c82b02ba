//! The loop that compares a group of agents with all candidates around them.

use crate::{
    neighbors::{
        Candidates,
        hits::{Filter, Hits},
        meeting::{Approach, Passing},
    },
    simd::lanes::{Lanes, Outlined},
};

/// Compares a group with all candidates.
pub(super) struct Compare<'s, 'a, L: Lanes, const D: usize> {
    pub(super) filter: &'s Filter<'a>,
    pub(super) position: [L::F; D],
    pub(super) velocity: [L::F; D],
    pub(super) approach: Approach<L>,
    pub(super) used: u8,
    pub(super) candidates: &'s Candidates<'a, D>,
    pub(super) hits: &'s mut Hits,
}

impl<L: Lanes, const D: usize> Outlined<L> for Compare<'_, '_, L, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, l: L) {
        let Self { filter, position, velocity, approach, used, candidates, hits } = self;
        let (index, plane) = (filter.index, filter.plane);
        let all_radii = index.radii.same();
        let same_room = approach.room(l, l.splat(all_radii.unwrap_or_default()));
        let places: [&[f32]; D] = core::array::from_fn(|d| plane.positions[d].get());
        let velocities: [&[f32]; D] = core::array::from_fn(|d| plane.velocities[d].get());
        for run in &candidates.runs {
            let mut from = position;
            for d in 0..D {
                from[d] = l.sub(position[d], l.splat(run.shift[d]));
            }
            let count = run.end - run.start;
            let places = places.map(|column| &column[run.start..][..count]);
            let velocities = velocities.map(|column| &column[run.start..][..count]);
            for i in 0..count {
                let mut pass = Passing::at_rest(l);
                for d in 0..D {
                    let along = l.sub(l.splat(places[d][i]), from[d]);
                    pass.add(l, along, velocity[d], l.splat(velocities[d][i]));
                }
                let slot = run.start + i;
                let room = match all_radii {
                    Some(_) => same_room,
                    None => approach.room(l, l.splat(index.radii.get(|| plane.entry(slot)))),
                };
                let bits = used & l.bits(approach.may_meet(l, pass, room));
                hits.note(filter, slot, bits, l.unpack(pass.squared));
            }
        }
    }
}
