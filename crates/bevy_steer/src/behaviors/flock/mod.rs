//! Flock: cohesion, separation and alignment.

mod batch;
mod component;
mod kernel;
mod params;
mod sums;

pub use component::{Flock, alignment, cohesion, separation_share};
pub(crate) use kernel::{demand_index, steer_flocks};
