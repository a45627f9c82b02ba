//! Avoid agents: keep out of each other's way.

mod component;
mod drive;
mod gather_drives;
mod limit;
mod limiter;
mod near;

pub use component::AvoidAgents;
pub(crate) use drive::Drives;
pub(crate) use gather_drives::gather_drives;
pub use limit::{Encounter, closest_approach, velocity_obstacle};
