//! The trait of behaviours, their view of the agent and of targets, and their drawings.

pub(crate) mod agent;
pub(crate) mod braking;
pub(crate) mod debug_draw;
pub(crate) mod detour;
pub(crate) mod near_surfaces;
pub(crate) mod several;
pub(crate) mod steering_behavior;
pub(crate) mod target;
pub(crate) mod targets;

// A shorter path for the behaviours, most of which use these.
pub(crate) use agent::{Agent, AgentBlock};
pub(crate) use debug_draw::{DebugDraw, DebugLayer};
pub(crate) use detour::Detour;
pub(crate) use near_surfaces::{NearSurface, NearSurfaces};
pub(crate) use steering_behavior::{ParamOf, SimdBehavior, Steering, SteeringBehavior};
pub(crate) use target::{Target, TargetMemory, TargetView, kept_within};
pub(crate) use targets::{STargets, Targets};
