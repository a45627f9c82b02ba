//! Follow a path: from point to point, or along a corridor.

mod component;
mod corridor;
mod place;
mod progress;
mod walk;
mod waypoints;

pub use component::{PathFollow, PathStyle};
pub use progress::{PathEnd, PathProgress};
