//! Changes that the panel makes to agents and to the gizmos, and their undo.

pub(crate) mod behaviors;
pub(crate) mod fields;
mod gesture;
pub(crate) mod gizmos;
pub(crate) mod history;
mod kept;
pub(crate) mod memento;
pub(crate) mod pick;
pub(crate) mod required;
