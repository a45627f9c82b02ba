//! What is in the way: obstacles, walls, and the index that finds them.

pub(crate) mod geometry;
mod index;
mod shape;
mod summed_area;
mod sweep;

use bevy::prelude::*;

pub(crate) use index::build_index;
pub use index::{ObstacleIndex, PlacedObstacle};
pub use shape::{Obstacle, ObstacleShape, Wall};
pub(crate) use sweep::Sweep;

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<ObstacleIndex>().register_type::<Obstacle>().register_type::<Wall>();
}
