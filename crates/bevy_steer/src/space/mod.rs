//! Planes, the bounds of the world, vectors: geometry that does not depend on agents.

pub(crate) mod bounds;
mod confine;
pub(crate) mod plane;
pub(crate) mod point;
mod rotation;
pub(crate) mod segment;
pub(crate) mod vector;
