//! The trait of behaviours, their view of the agent and of targets, and their drawings.

mod agent;
pub(crate) mod braking;
mod debug_draw;
mod detour;
mod near_surfaces;
mod several;
mod steering_behavior;
mod target;
mod targets;

pub use agent::Agent;
pub(crate) use agent::AgentBlock;
pub use debug_draw::{DebugDraw, DebugLayer, DebugShape};
pub use detour::Detour;
pub(crate) use near_surfaces::SurfaceLists;
pub use near_surfaces::{NearSurface, NearSurfaces};
pub use several::Several;
pub(crate) use several::one_of_several;
pub(crate) use steering_behavior::SimdBehavior;
pub use steering_behavior::{ParamOf, Steering, SteeringBehavior};
pub(crate) use target::kept_within;
pub use target::{Target, TargetMemory, TargetView};
pub use targets::{STargets, Targets};
