//! Avoid obstacles: go round what is ahead.

mod component;
mod formulas;
mod obstacle_ahead;
mod passing;

pub use component::AvoidObstacles;
pub use formulas::{ObstacleApproach, ObstaclePass, avoid_obstacle};
pub use passing::Passing;
