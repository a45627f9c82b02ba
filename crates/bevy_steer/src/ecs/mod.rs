//! Columns of components, and loops over them on all threads.

pub(crate) mod columns;
pub(crate) mod parallel;
pub(crate) mod state_data;
