//! Avoid obstacles: go round what is ahead.

mod component;
mod formulas;

pub use component::{AvoidObstacles, Passing};
pub use formulas::{ObstacleApproach, ObstaclePass, avoid_obstacle};
