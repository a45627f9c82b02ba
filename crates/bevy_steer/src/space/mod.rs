//! Planes, the bounds of the world, vectors: geometry that does not depend on agents.

pub(crate) mod bounds;
mod plane;
mod rotation;
#[cfg(feature = "serialize")]
pub mod unbounded;
pub(crate) mod vector;

pub use bounds::{Bounds, BoundsEdge, WorldBounds};
pub(crate) use bounds::{shortest, shortest_on_axis};
pub(crate) use plane::{PARALLEL, is_unit, unit_heading};
pub use plane::{Point, SteeringPlane};
pub(crate) use vector::{
    NEGLIGIBLE, direction, is_valid, local_axes, nearest_on_segment, perpendicular, segment_gap,
    split, to_world, truncate,
};
