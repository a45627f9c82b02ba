//! Changes that the panel makes to agents.

pub(crate) mod behaviors;
pub(crate) mod fields;
pub(crate) mod pick;
