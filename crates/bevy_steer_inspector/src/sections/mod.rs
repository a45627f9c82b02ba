//! The sections of the panel that are about the whole world.

pub(crate) mod diagnostics;
pub(crate) mod edits;
pub(crate) mod gizmos;
pub(crate) mod leave;
pub(crate) mod pick;
pub(crate) mod time;
pub(crate) mod title;
