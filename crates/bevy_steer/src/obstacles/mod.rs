//! Obstacles and walls, and the index that finds them.

pub(crate) mod field;
pub(crate) mod geometry;
mod index;
mod level;
pub(crate) mod near;
mod shape;

pub use index::ObstacleIndex;
pub(crate) use index::build_index;
pub use shape::{Obstacle, ObstacleShape, PlacedObstacle, Wall};
