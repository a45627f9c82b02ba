//! What the panel is about: its state and the marks on the selected agent.

pub(crate) mod inspector;
pub(crate) mod selection;
