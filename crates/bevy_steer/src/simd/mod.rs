//! Arithmetic on one number or on eight lanes, with any instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod dispatch;
pub(crate) mod lanes;
pub(crate) mod one;
pub(crate) mod portable;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;
