//! The uniform grid behind both indexes.

pub(crate) mod cell_grid;
