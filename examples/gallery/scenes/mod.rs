//! The scenes, a file each; the order here is that of the list.

mod parts;
mod tank;

use bevy::prelude::*;
use bevy_steer::{AvoidWallsWith, prelude::*};

use super::scene::Scene;

macro_rules! scenes {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+

        /// All scenes.
        pub static SCENES: &[Scene] = &[$($name::SCENE),+];
    };
}

scenes![
    seek,
    arrive,
    pursue,
    offset_pursue,
    path_follow,
    wander,
    flee,
    evade,
    avoid_obstacles,
    avoid_walls,
    avoid_agents,
    flock,
    match_velocity,
    face,
    align,
    look_where_you_go,
    crossing,
    doorway,
    predator,
    path_obstacles,
    ground,
    school,
];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The scene after this one, or before it.
pub fn beside(scene: &Scene, after: bool) -> &'static Scene {
    let count = SCENES.len();
    let here = SCENES.iter().position(|other| other.name == scene.name).unwrap_or(0);
    &SCENES[if after { here + 1 } else { here + count - 1 } % count]
}

/// A line for each scene: its name, and what to look at.
pub fn list() -> String {
    SCENES.iter().map(|scene| format!("{:<20}{}\n", scene.name, scene.look)).collect()
}

/// Behaviours of the scenes' own.
pub(super) fn register(app: &mut App) {
    app.add_steering_behavior::<AvoidWallsWith<tank::Glass>>();
}
