//! Avoid walls: feelers ahead.

mod component;

pub use component::{AvoidWalls, AvoidWallsWith, Feelers, WallTouch, avoid_wall};
