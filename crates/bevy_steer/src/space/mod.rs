//! Planes, the bounds of the world, vectors: geometry that knows nothing of agents.

pub(crate) mod bounds;
mod confine;
pub(crate) mod plane;
mod rotation;
pub(crate) mod segment;
pub(crate) mod vector;
