//! Gizmos, which draw over the scene how agents are steered.

mod config;
mod plugin;
mod shapes;

pub use config::{HideSteeringTrace, Paint, ShowSteeringGizmos, Shown, SteeringGizmos};
pub use plugin::SteeringGizmosPlugin;
