//! Avoid agents: keep out of each other's way.

mod component;
mod limits;
mod velocity_obstacle;

pub use component::{AvoidAgents, AvoidAgentsMemory};
pub use velocity_obstacle::{RelativeMotion, closest_approach, velocity_obstacle};
