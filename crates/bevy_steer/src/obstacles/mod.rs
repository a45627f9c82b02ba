//! Obstacles and walls, and the index that finds them.

pub(crate) mod field;
pub(crate) mod geometry;
mod index;
mod level;
pub(crate) mod near;
pub(crate) mod outline;
mod placed;
pub(crate) mod reach_block;
mod scaled;
mod shape;
mod systems;
mod turn;

pub use index::ObstacleIndex;
pub use placed::PlacedObstacle;
pub use shape::{Obstacle, ObstacleShape, Wall};
pub(crate) use systems::{build_index, set_up};
