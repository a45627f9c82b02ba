//! Avoid agents: keep out of each other's way.

mod avoidance;
mod component;
mod standing_place;
mod velocity_obstacle;

pub use avoidance::Avoidance;
pub use component::{AvoidAgents, AvoidAgentsMemory};
pub use standing_place::StandingPlace;
pub use velocity_obstacle::{RelativeMotion, closest_approach, velocity_obstacle};
