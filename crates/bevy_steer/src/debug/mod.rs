//! Displays of what the lower layers publish.

pub(crate) mod diagnostics;
#[cfg(feature = "gizmos")]
pub(crate) mod gizmos;
