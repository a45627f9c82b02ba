//! Arithmetic on one number or on eight lanes, with any instruction set.

pub(crate) mod dispatch;
pub(crate) mod lanes;
pub(crate) mod portable;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;
