//! Tests of each behaviour in a real app: what an observer of the agents would see.

#[path = "../common/mod.rs"]
mod common;

mod align;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod avoid_walls;
mod avoidance;
mod builders;
mod evade;
mod face;
mod flee;
mod flock;
mod look_where_you_go;
mod match_velocity;
mod offset_pursue;
mod path_follow;
mod pursue;
mod rotation;
mod seek;
mod wander;

/// What is for now is wished three times as strongly as what has time: the reaction takes a third
/// of the response.
const URGENCY: f32 = 3.0;
