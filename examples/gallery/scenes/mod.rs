//! The scenes, one file each. `list.rs` has their order in the window.

mod align;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod avoid_walls;
pub mod crossing;
pub mod door;
mod doorway;
mod drifting_circles;
pub mod evade;
mod face;
mod flee;
mod flock;
mod ground;
pub mod hallway;
mod list;
mod look_where_you_go;
mod match_velocity;
mod offset_pursue;
mod one_vehicle;
mod parts;
mod path_follow;
mod path_obstacles;
mod people;
mod points;
mod predator;
pub mod pursue;
mod school;
mod seek;
mod tank;
mod twenty_boids;
mod wander;
mod waypoints;

pub(super) use list::register;
pub use list::{SCENES, adjacent, find, listing};
