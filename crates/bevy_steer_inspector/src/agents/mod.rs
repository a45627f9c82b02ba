//! The list of all agents.

pub(crate) mod list;
pub(crate) mod section;
