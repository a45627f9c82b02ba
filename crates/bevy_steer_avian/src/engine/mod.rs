//! The plugin, for the dimension of the module above, which names the engine (`avian`) and tells
//! how its vectors and shapes relate to those of steering (`space`).

mod bodies;
mod caster;
mod measure;
mod motion;
mod obstacles;
mod plugin;
mod shapes;

pub use caster::{AvoidColliders, ColliderCaster, ColliderRays};
pub use plugin::AvianSteeringPlugin;

use super::{avian, space};
