//! Avoid walls: feelers ahead.

mod component;
mod eight;

pub use component::{AvoidWalls, AvoidWallsWith, Feelers, WallTouch, avoid_wall};
