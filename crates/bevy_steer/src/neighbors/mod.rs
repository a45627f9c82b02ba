//! The index of agents by position, and the queries on it.

mod build;
mod columns;
mod demand;
mod histogram;
mod index;
mod nearest;
mod neighbor;
mod query;
mod search;
mod sort;
mod statistics;
pub(crate) mod systems;
mod tables;
mod within;

pub(crate) use columns::PaddedColumn;
pub(crate) use demand::{AgentDemand, CurrentIndex, demand_identities};
pub use demand::{IndexDemand, Neighbors};
pub use index::NeighborIndex;
pub(crate) use index::PlaneIndex;
pub use neighbor::{Neighbor, NeighborQuery};
