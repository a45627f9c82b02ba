//! What stands in the way: [`Obstacle`]s, [`Wall`]s, the [`ObstacleIndex`] that finds them, and feelers.

mod ahead;
mod feeler;
mod geometry;
mod index;
mod shape;
mod surface;
mod tally;

use bevy::prelude::*;

pub(crate) use ahead::Way;
pub use feeler::{FeelerCaster, FeelerHit, ObstacleCaster};
pub(crate) use geometry::nearest_on_segment;
pub use index::{ObstacleIndex, PlacedObstacle};
pub use shape::{Obstacle, ObstacleShape, Wall};

use crate::schedule::{SteeringSchedule, SteeringSystems};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<ObstacleIndex>()
        .register_type::<Obstacle>()
        .register_type::<Wall>()
        .add_systems(SteeringSchedule, index::build_index.in_set(SteeringSystems::Sense));
}
