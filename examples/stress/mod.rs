//! The stress test: the cost of a crowd, in a window and headless.

pub mod headless;
mod meshes;
pub mod options;
mod overlay;
mod report;
mod timings;
pub mod window;
mod world;
