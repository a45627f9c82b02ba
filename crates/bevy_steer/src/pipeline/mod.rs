//! The steps of a tick.

pub(crate) mod arbitration;
pub(crate) mod batch;
pub(crate) mod behave;
pub(crate) mod behave_simd;
mod behavior_params;
pub(crate) mod check_bounds;
pub(crate) mod combine;
pub(crate) mod drawings;
pub(crate) mod integrate;
pub(crate) mod limit;
pub(crate) mod parameters;
pub(crate) mod register;
pub(crate) mod registry;
pub(crate) mod schedule;
pub(crate) mod sense;
pub(crate) mod trace;
pub(crate) mod traced_limit;
pub(crate) mod unregistered;
pub(crate) mod validate;
