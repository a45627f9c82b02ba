//! Gizmos, which draw over the scene how agents are steered.

mod agents;
mod config;
mod plugin;
mod shapes;
mod world;

pub use config::{HideSteeringTrace, Paint, ShowSteeringGizmos, Shown, SteeringGizmos};
pub use plugin::SteeringGizmosPlugin;
