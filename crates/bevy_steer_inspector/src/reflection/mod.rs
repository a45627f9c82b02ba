//! What reflection tells about the fields of a component.

pub(crate) mod describe;
pub(crate) mod kinds;
pub(crate) mod parameter;
pub(crate) mod values;
