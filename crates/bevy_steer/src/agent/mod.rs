//! The components of an agent, and the data of a tick that is common to all agents.

pub(crate) mod columns;
pub(crate) mod contributions;
pub(crate) mod events;
pub(crate) mod half_spaces;
pub(crate) mod hierarchy;
pub(crate) mod id;
pub(crate) mod layers;
pub(crate) mod locomotion;
pub(crate) mod memory;
pub(crate) mod parameter;
pub(crate) mod right_of_way;
pub(crate) mod surface_slot;
pub(crate) mod tick_context;
pub(crate) mod vehicle;
pub(crate) mod velocity_limits;
