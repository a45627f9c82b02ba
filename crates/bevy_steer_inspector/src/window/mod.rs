//! The panel in the primary window.

pub(crate) mod dock;
pub(crate) mod fit;
pub(crate) mod overlay;
pub(crate) mod render;
