//! Paths: lines of points.

mod line;
mod polyline;

pub use line::Path;
pub(crate) use polyline::Polyline;
