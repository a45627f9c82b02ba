//! Who is near whom: [`NeighborIndex`], built each tick, and the queries on it.

mod gather;
mod grid;
mod index;

use bevy::prelude::*;

pub(crate) use grid::{CellGrid, roomy_cell};
pub use index::{Neighbor, NeighborIndex, NeighborQuery};

use crate::schedule::{SteeringSchedule, SteeringSystems};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<NeighborIndex>()
        .add_systems(SteeringSchedule, gather::build_index.in_set(SteeringSystems::Sense));
}
