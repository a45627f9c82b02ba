//! What a behaviour is, its view of the agent, of targets and of its own drawings.

pub(crate) mod agent;
pub(crate) mod agent_block;
pub(crate) mod braking;
pub(crate) mod debug_draw;
pub(crate) mod simd_behavior;
pub(crate) mod steering_behavior;
pub(crate) mod target;
