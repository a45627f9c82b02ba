//! The stress test: the cost of a crowd, in a window and headless.

mod bar;
mod cost;
mod crowd;
pub mod headless;
pub mod options;
mod overlay;
mod pointer;
mod report;
mod timings;
pub mod window;
mod world;
