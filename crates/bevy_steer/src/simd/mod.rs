//! Arithmetic on one number or on eight lanes, with any instruction set.

mod dispatch;
mod lanes;
mod portable;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use dispatch::dispatch;
pub(crate) use lanes::{
    Arithmetic, FRONT, Kernel, Lanes, One, Outlined, WIDTH, at_indices, every, pack, unset_lanes,
};
pub use vector::MAX_MAGNITUDE;
pub(crate) use vector::{
    NEGLIGIBLE, Vector, at, differ, dot, each, equal, flattened, is_valid, length, positions,
    select, side_by_side, split, spread, truncate, truncation, unpacked, vector,
};

#[cfg(test)]
pub(crate) use portable::Portable;
