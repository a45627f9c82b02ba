//! Columns of components, and loops over them on all threads.

mod columns;
mod parallel;
mod state_data;

pub(crate) use columns::{
    Column, Columns, Shared, TrackedColumn, aligned, aligned_mut, block, block_mut, chunks,
    columns_for_struct, columns_struct, untracked,
};
pub(crate) use parallel::{RowCost, for_each_piece, pieces_for, run_all, threads_for};
pub use state_data::StateData;
