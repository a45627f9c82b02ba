//! Follow a path: from point to point, or along a corridor.

mod component;
mod corridor;
mod walk;

pub use component::{PathEnd, PathFollow, PathProgress, PathStyle};
