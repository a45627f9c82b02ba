//! The hunter/prey game, in a window and headless.

mod bloom;
pub mod game;
pub mod headless;
mod hud;
mod keys;
pub mod mouse;
mod movie;
pub mod options;
pub mod report;
mod rules;
pub mod spawn;
mod view;
mod watch;
pub mod window;

pub(crate) use rules::bounce_obstacles;
