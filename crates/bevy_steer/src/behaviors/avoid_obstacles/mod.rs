//! Avoid obstacles: go round what is ahead.

mod component;
mod passing;

pub use component::AvoidObstacles;
pub use passing::{ObstacleApproach, ObstaclePass, Passing, avoid_obstacle};
