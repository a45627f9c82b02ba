//! Hunters and prey: the game, and the two ways to run it.

pub mod game;
pub mod headless;
mod hud;
pub mod options;
pub mod report;
mod rules;
pub mod spawn;
mod watch;
pub mod window;
