//! Follow a path: from point to point, or along a corridor.

mod component;
mod walk;

pub use component::{PathEnd, PathFollow, PathProgress, PathStyle};
