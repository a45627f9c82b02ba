//! Follow a path: from point to point, or along a corridor.

mod component;
mod corridor;
mod walk;

pub use component::{PathEnd, PathProgress};
pub use component::{PathFollow, PathStyle};
