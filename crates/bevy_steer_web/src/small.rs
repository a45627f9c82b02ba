//! The small examples of `bevy_steer`.
#![allow(dead_code, reason = "the `main` of each example, which opens a window of its own")]

use bevy::prelude::*;

#[path = "../../bevy_steer/examples/arbitration.rs"]
mod arbitration;
#[path = "../../bevy_steer/examples/curfew.rs"]
mod curfew;
#[path = "../../bevy_steer/examples/custom_behavior.rs"]
mod custom_behavior;
#[path = "../../bevy_steer/examples/events.rs"]
mod events;
#[path = "../../bevy_steer/examples/flock.rs"]
mod flock;
#[path = "../../bevy_steer/examples/free_3d.rs"]
mod free_3d;
#[path = "../../bevy_steer/examples/inspector.rs"]
mod inspector;
#[path = "../../bevy_steer/examples/minimal_2d.rs"]
mod minimal_2d;
#[path = "../../bevy_steer/examples/minimal_3d_ground.rs"]
mod minimal_3d_ground;
#[path = "../../bevy_steer/examples/nearest_target.rs"]
mod nearest_target;
#[path = "../../bevy_steer/examples/obstacles_and_walls.rs"]
mod obstacles_and_walls;
#[path = "../../bevy_steer/examples/path_follow.rs"]
mod path_follow;
#[path = "../../bevy_steer/examples/player_input.rs"]
mod player_input;
#[path = "../../bevy_steer/examples/smooth_motion.rs"]
mod smooth_motion;
#[path = "../../bevy_steer/examples/steering_manager.rs"]
mod steering_manager;

/// A small example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallExample {
    /// The name of its file, without `.rs`.
    pub(crate) name: &'static str,
    /// The game without its window.
    pub(crate) game: fn(&mut App),
    /// Its source.
    source: &'static str,
}

macro_rules! small_examples {
    ($($name:ident),* $(,)?) => {
        /// All of them that have a window.
        pub(crate) const SMALL_EXAMPLES: &[SmallExample] = &[$(SmallExample {
            name: stringify!($name),
            game: $name::game,
            source: include_str!(concat!("../../bevy_steer/examples/", stringify!($name), ".rs")),
        }),*];
    };
}

small_examples!(
    arbitration,
    curfew,
    custom_behavior,
    events,
    flock,
    free_3d,
    inspector,
    minimal_2d,
    minimal_3d_ground,
    nearest_target,
    obstacles_and_walls,
    path_follow,
    player_input,
    smooth_motion,
    steering_manager,
);

impl SmallExample {
    /// The first paragraph of its file, which says what it shows.
    pub(crate) fn summary(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//! "));
        lines.collect::<Vec<_>>().join(" ").replace('`', "")
    }
}

/// The example with this name.
pub(crate) fn find(name: &str) -> Option<&'static SmallExample> {
    SMALL_EXAMPLES.iter().find(|example| example.name == name)
}
