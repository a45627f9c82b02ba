//! The state of the panel, the marks on the selected agent, and time.

pub(crate) mod aim;
pub(crate) mod inspector;
pub(crate) mod selection;
pub(crate) mod time;
