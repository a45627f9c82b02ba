//! [`SimdBehavior`]: a behaviour that can steer eight agents in lanes.

use crate::{
    behavior::{
        agent_block::AgentBlock,
        steering_behavior::{ParamOf, SteeringBehavior},
    },
    simd::{
        lanes::{Lanes, WIDTH},
        vector::Vector,
    },
};

/// A behaviour that can steer eight agents without rare components in lanes.
pub(crate) trait SimdBehavior: SteeringBehavior + Sized {
    /// The requests of eight agents, as [`steer`](SteeringBehavior::steer) returns them for one: in
    /// their plane, in the same bits.
    ///
    /// Agents to steer have their bit set in `requested`. Returns which of them have been steered
    /// as well; the others are steered one by one, so nothing of theirs may have changed.
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        params: &ParamOf<Self>,
    ) -> (Vector<L>, u8);
}
