//! Obstacles and walls, and the index that finds them.

pub(crate) mod geometry;
mod index;
mod placed;
mod scaled;
mod shape;
mod size_class;
mod sweep;
mod systems;
mod touch;
mod update;

pub use index::ObstacleIndex;
pub use placed::PlacedObstacle;
pub use shape::{Obstacle, ObstacleShape, Wall};
pub(crate) use sweep::Sweep;
pub(crate) use systems::{build_index, set_up};
