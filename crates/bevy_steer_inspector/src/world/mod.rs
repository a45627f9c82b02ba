//! What the panel does in the world: picking, the ring around the selected agent, the camera that
//! follows it.

pub(crate) mod aim;
pub(crate) mod camera;
pub(crate) mod click;
pub(crate) mod follow;
pub(crate) mod ring;
pub(crate) mod sight;
