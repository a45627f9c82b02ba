//! The list of scenes.

use bevy::prelude::*;
use bevy_steer::{AvoidWallsWith, prelude::*};

use super::*;
use crate::gallery::scene::Scene;

/// All scenes, in the order of the window's list.
pub static SCENES: &[Scene] = &[
    seek::SCENE,
    arrive::SCENE,
    pursue::SCENE,
    offset_pursue::SCENE,
    path_follow::SCENE,
    wander::SCENE,
    flee::SCENE,
    evade::SCENE,
    avoid_obstacles::SCENE,
    avoid_walls::SCENE,
    avoid_agents::SCENE,
    flock::SCENE,
    match_velocity::SCENE,
    face::SCENE,
    align::SCENE,
    look_where_you_go::SCENE,
    crossing::SCENE,
    doorway::SCENE,
    door::SCENE,
    hallway::SCENE,
    predator::SCENE,
    path_obstacles::SCENE,
    ground::SCENE,
    school::SCENE,
    one_vehicle::SCENE,
    drifting_circles::SCENE,
    twenty_boids::SCENE,
    waypoints::SCENE,
];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// The next scene in the list, or the previous one. The first follows the last.
pub fn adjacent(scene: &Scene, is_next: bool) -> &'static Scene {
    let count = SCENES.len();
    let here = SCENES.iter().position(|other| other.name == scene.name).unwrap_or(0);
    &SCENES[if is_next { here + 1 } else { here + count - 1 } % count]
}

/// One line for each scene: its name and its caption.
pub fn listing() -> String {
    SCENES.iter().map(|scene| format!("{:<20}{}\n", scene.name, scene.caption)).collect()
}

/// Registers the behaviours that scenes define themselves.
pub(in crate::gallery) fn register(app: &mut App) {
    app.add_steering_behavior::<AvoidWallsWith<tank::Glass>>();
}
