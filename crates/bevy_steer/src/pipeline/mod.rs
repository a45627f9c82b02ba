//! The steps of a tick.

pub(crate) mod arbitration;
pub(crate) mod behave;
pub(crate) mod combine;
pub(crate) mod drawings;
pub(crate) mod integrate;
pub(crate) mod limit;
pub(crate) mod registry;
pub(crate) mod schedule;
pub(crate) mod sense;
pub(crate) mod trace;
pub(crate) mod validate;
