//! The small examples, which are in folders of their crates.
#![allow(dead_code, reason = "the `main` of each example, which opens a window of its own")]

use bevy::prelude::*;
use bevy_steer_examples::window::ExampleWindowPlugin;

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
#[path = "../../bevy_steer_navigation/examples/flow_field.rs"]
mod flow_field;
#[path = "../../bevy_steer_formations/examples/formation.rs"]
mod formation;
#[path = "../../bevy_steer/examples/free_3d.rs"]
mod free_3d;
#[path = "../../bevy_steer_navigation/examples/grid_maze.rs"]
mod grid_maze;
#[path = "../../bevy_steer/examples/inspector.rs"]
mod inspector;
#[path = "../../bevy_steer_navigation/examples/mesh_floors.rs"]
mod mesh_floors;
#[path = "../../bevy_steer_navigation/examples/mesh_gates.rs"]
mod mesh_gates;
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
    /// The crate that it is an example of.
    pub(crate) package: &'static str,
    /// The game, and what is only seen in a window.
    pub(crate) game: fn(&mut App),
    /// Its source.
    source: &'static str,
}

/// The example of a crate. With a name for what is only seen in a window, the window has that too,
/// and what the windows of the other crates' examples have in common.
macro_rules! example {
    ($package:literal, $name:ident $(, $picture:ident)?) => {
        SmallExample {
            name: stringify!($name),
            package: $package,
            game: |app| {
                $name::game(app);
                $(
                    $name::$picture(app);
                    app.add_plugins(ExampleWindowPlugin);
                )?
            },
            source: include_str!(concat!(
                "../../",
                $package,
                "/examples/",
                stringify!($name),
                ".rs"
            )),
        }
    };
}

/// All of them that have a window.
pub(crate) const SMALL_EXAMPLES: &[SmallExample] = &[
    example!("bevy_steer", arbitration),
    example!("bevy_steer", curfew),
    example!("bevy_steer", custom_behavior),
    example!("bevy_steer", events),
    example!("bevy_steer", flock),
    example!("bevy_steer", free_3d),
    example!("bevy_steer", inspector),
    example!("bevy_steer", minimal_2d),
    example!("bevy_steer", minimal_3d_ground),
    example!("bevy_steer", nearest_target),
    example!("bevy_steer", obstacles_and_walls),
    example!("bevy_steer", path_follow),
    example!("bevy_steer", player_input),
    example!("bevy_steer", smooth_motion),
    example!("bevy_steer", steering_manager),
    example!("bevy_steer_formations", formation, picture),
    example!("bevy_steer_navigation", flow_field, picture),
    example!("bevy_steer_navigation", grid_maze, picture),
    example!("bevy_steer_navigation", mesh_floors, picture),
    example!("bevy_steer_navigation", mesh_gates, picture),
];

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
