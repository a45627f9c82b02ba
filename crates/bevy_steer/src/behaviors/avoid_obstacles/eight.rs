//! Eight agents at a time: mostly there is nothing near them.

use crate::{
    behavior::{AgentBlock, ParamOf, SimdBehavior},
    behaviors::avoid_obstacles::{AvoidObstacles, component::body},
    simd::{
        lanes::{Lanes, WIDTH, pack},
        vector::{Vector, each},
    },
};

impl SimdBehavior for AvoidObstacles {
    /// Most agents have nothing ahead.
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        index: &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let nothing = [l.splat(0.0); 3];
        if index.is_empty() {
            return (nothing, requested);
        }
        let look_ahead = l.max(pack!(l, i => behaviors[i].look_ahead), l.splat(0.0));
        let body = bodies(l, behaviors, agents);
        let velocity = agents.velocity(l);
        let way = each!(d => l.mul(velocity[d], look_ahead));
        let from = agents.position(l);
        let offset = |i, place| agents.way(i, place);
        // Those that are passing something have a memory that ages; few look a distance ahead.
        let mut passing = 0;
        for (i, behavior) in behaviors.iter().enumerate() {
            let remembers = behavior.passing.iter().any(|memory| memory.obstacle.is_some());
            passing |= u8::from(remembers | behavior.look_ahead_distance.is_some()) << i;
        }
        let done = index.clear_ways(l, requested & !passing, from, way, [body, look_ahead], offset);
        (nothing, done)
    }

    /// Most agents are near nothing.
    #[inline(always)]
    fn may_limit<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &[Self; WIDTH],
        agents: &AgentBlock,
        index: &ParamOf<Self>,
    ) -> u8 {
        let reach = l.max(agents.approach_reach(l), bodies(l, behaviors, agents));
        requested & !index.clear_around(l, requested, agents, reach)
    }
}

/// The radii and margins of eight agents, in units.
#[inline(always)]
fn bodies<L: Lanes>(l: L, behaviors: &[AvoidObstacles; WIDTH], agents: &AgentBlock) -> L::F {
    body(l, agents.vehicle(l).radius, pack!(l, i => behaviors[i].margin))
}
