//! The hunter/prey game, in a window and headless.

mod drawing;
pub mod game;
pub mod headless;
mod hud;
mod keys;
pub mod mouse;
pub mod options;
pub mod report;
mod rules;
pub mod spawn;
mod watch;
pub mod window;

pub(crate) use rules::bounce_obstacles;
