//! Obstacles and walls, and the index that finds them.

pub(crate) mod geometry;
mod index;
mod placed;
mod shape;
mod size_class;
mod sweep;

pub use index::ObstacleIndex;
pub(crate) use index::{build_index, set_up};
pub use placed::PlacedObstacle;
pub use shape::{Obstacle, ObstacleShape, Wall};
pub(crate) use sweep::Sweep;
