//! Obstacles and walls, and the index that finds them.

pub(crate) mod geometry;
mod index;
mod shape;
mod summed_area;
mod sweep;

pub use index::{ObstacleIndex, PlacedObstacle};
pub(crate) use index::{build_index, set_up};
pub use shape::{Obstacle, ObstacleShape, Wall};
pub(crate) use sweep::Sweep;
