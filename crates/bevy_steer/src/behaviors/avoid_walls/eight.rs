//! Eight agents at a time: mostly there is nothing within their feelers.

use crate::{
    behavior::{AgentBlock, ParamOf, SimdBehavior},
    behaviors::avoid_walls::{AvoidWalls, Feelers, component::feeler_reach},
    simd::{
        lanes::{Lanes, WIDTH, pack},
        vector::{Vector, length},
    },
};

/// The lengths of the middle feelers of eight agents.
#[inline(always)]
fn reaches<L: Lanes>(l: L, behaviors: &[AvoidWalls; WIDTH], agents: &AgentBlock) -> L::F {
    let speed = length(l, agents.velocity(l));
    let look_ahead = pack!(l, i => behaviors[i].look_ahead);
    feeler_reach(l, speed, look_ahead, agents.vehicle(l).radius)
}

impl AvoidWalls {
    /// The longest of its feelers, in multiples of the middle one.
    fn longest(&self) -> f32 {
        match self.feelers {
            Feelers::Single => 1.0,
            Feelers::Whiskers { length, .. } => length.abs().max(1.0),
        }
    }
}

impl SimdBehavior for AvoidWalls {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        (index, _): &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let reach = l.mul(reaches(l, behaviors, agents), pack!(l, i => behaviors[i].longest()));
        ([l.splat(0.0); 3], index.clear_around(l, requested, agents, reach))
    }

    #[inline(always)]
    fn may_limit<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &[Self; WIDTH],
        agents: &AgentBlock,
        (index, _): &ParamOf<Self>,
    ) -> u8 {
        let reach = l.min(agents.approach_reach(l), reaches(l, behaviors, agents));
        requested & !index.clear_around(l, requested, agents, reach)
    }
}
