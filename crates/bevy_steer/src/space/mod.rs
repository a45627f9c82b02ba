//! Planes, the bounds of the world, vectors: geometry that does not depend on agents.

pub(crate) mod bounds;
pub(crate) mod plane;
mod rotation;
pub(crate) mod vector;
