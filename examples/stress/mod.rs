//! The stress test: a crowd, measured.

pub mod headless;
pub mod options;
mod report;
mod watch;
pub mod window;
mod world;
