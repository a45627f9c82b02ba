//! The index of agents by position, and the queries on it. It knows no behaviour.

mod bounding_tree;
mod build;
mod candidates;
mod counting_sort;
mod demand;
mod entry_table;
mod index;
mod levels;
mod query;
mod search;

pub(crate) use candidates::{Candidates, Run, widest_group};
pub(crate) use demand::{
    AgentDemand, CurrentIndex, NeighborUsers, build_index, demand_for_behaviors, is_missing, set_up,
};
pub use demand::{Neighbors, SNeighbors};
pub(crate) use entry_table::EntryKind;
pub use index::NeighborIndex;
pub(crate) use index::PlaneIndex;
pub(crate) use levels::Level;
pub use query::{Neighbor, NeighborQuery};
pub(crate) use search::{Hit, point};
