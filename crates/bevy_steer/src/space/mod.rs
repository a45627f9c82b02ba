//! Planes, the bounds of the world, vectors: geometry that knows nothing of agents.

pub(crate) mod bounds;
pub(crate) mod plane;
pub(crate) mod segment;
pub(crate) mod vector;
