//! Changes that the panel makes to agents, and their undo.

pub(crate) mod behaviors;
pub(crate) mod fields;
mod gesture;
pub(crate) mod history;
pub(crate) mod memento;
pub(crate) mod pick;
