//! Avoid agents: keep out of each other's way.

mod component;
mod drive;
mod limit;
mod limiter;
mod look;
mod near;

pub use component::AvoidAgents;
pub use limit::{Encounter, closest_approach, velocity_obstacle};
pub(crate) use look::look_around;
