//! Flow fields: grids of vectors. Knows nothing of agents and of maps.

mod flow_field;
mod flow_field_error;
#[cfg(feature = "serialize")]
mod written;

pub use flow_field::FlowField;
pub use flow_field_error::FlowFieldError;
