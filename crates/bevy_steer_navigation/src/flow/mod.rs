//! Agents that follow a flow field, and fields that are built from maps and loaded from files.

#[cfg(feature = "assets")]
mod asset;
mod build;
mod flow_follow;
mod grid_flow;

#[cfg(feature = "assets")]
pub use asset::{FlowFieldAssetPlugin, UseFlowField};
pub(crate) use build::{FlowJobs, build_grid_flows};
pub use flow_follow::{FlowFollow, FlowProgress};
pub use grid_flow::{FlowGoal, FlowPlan, GridFlow, GridFlowState};
