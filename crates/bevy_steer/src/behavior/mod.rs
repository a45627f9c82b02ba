//! What a behaviour is, what it is told, and what it can answer.

pub(crate) mod agent;
pub(crate) mod debug_draw;
pub(crate) mod steering_behavior;
pub(crate) mod target;
