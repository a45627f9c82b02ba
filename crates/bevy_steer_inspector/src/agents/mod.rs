//! All agents: the list, its search, and its part of the panel.

pub(crate) mod list;
pub(crate) mod section;
