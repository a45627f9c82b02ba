//! The sections of the panel that are about the whole world.

pub(crate) mod diagnostics;
pub(crate) mod gizmos;
pub(crate) mod time;
pub(crate) mod title;
