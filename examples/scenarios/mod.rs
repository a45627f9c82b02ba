//! Scenarios: situations in which agents must not touch each other, obstacles or walls, and
//! measures of how well they do.

mod all;
pub mod bodies;
mod contacts;
pub mod crowds;
pub mod headless;
mod meetings;
mod narrow_spaces;
mod obstacles;
pub mod options;
pub mod outcome;
mod paths;
pub mod portraits;
pub mod scenario;
pub mod table;
mod watch;

pub use all::all;
