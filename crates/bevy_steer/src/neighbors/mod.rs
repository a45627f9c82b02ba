//! The index of agents by position, and the queries on it.

mod approach;
mod build;
mod columns;
mod demand;
mod group;
mod histogram;
mod index;
mod met;
mod nearest;
mod neighbor;
mod query;
mod search;
mod sizes;
mod sort;
mod spans;
mod statistics;
pub(crate) mod systems;
mod tables;
mod usual;
mod within;

pub(crate) use approach::Approach;
pub(crate) use columns::PaddedColumn;
pub(crate) use demand::{AgentDemand, CurrentIndex, demand_identities};
pub use demand::{IndexDemand, Neighbors};
pub use index::NeighborIndex;
pub(crate) use index::PlaneIndex;
pub(crate) use met::{Meet, Met, Other};
pub use neighbor::{Neighbor, NeighborQuery};
