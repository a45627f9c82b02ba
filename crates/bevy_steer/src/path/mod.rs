//! Paths: lines of points.

mod line;
mod polyline;
mod segment_tree;

pub use line::Path;
pub(crate) use polyline::Polyline;
