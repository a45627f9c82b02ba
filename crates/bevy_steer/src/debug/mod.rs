//! Gizmos and diagnostics, which display the data of the lower layers.

pub(crate) mod diagnostics;
#[cfg(feature = "gizmos")]
pub(crate) mod gizmos;
