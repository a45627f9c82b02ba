//! Flock: cohesion, separation and alignment.

mod alone;
mod batch;
mod coincident;
mod component;
mod context;
pub(crate) mod formulas;
mod group;
mod kernel;
mod mark;
mod params;
mod run;
mod steer;
mod sum_some;
mod sums;

pub use component::Flock;
pub(crate) use run::{demand_index, steer_flocks};
