//! The uniform grid behind both indexes.

pub(crate) mod axis;
pub(crate) mod cell_grid;
pub(crate) mod extent;
pub(crate) mod runs;
