//! Gizmos: how agents are steered, drawn over the scene.

mod agents;
mod config;
mod limits;
mod plugin;
mod shapes;
mod world;

pub use config::{HideSteeringTrace, Paint, ShowSteeringGizmos, Shown, SteeringGizmos};
pub use plugin::SteeringGizmosPlugin;
