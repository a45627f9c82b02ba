//! The components of an agent, and the data of a tick that is common to all agents.

mod columns;
pub(crate) mod contributions;
mod events;
mod half_spaces;
mod hierarchy;
mod id;
mod layers;
mod locomotion;
mod memory;
mod parameter;
mod right_of_way;
mod surface_slot;
mod tick_context;
mod vehicle;
mod velocity_limits;

pub(crate) use columns::{AgentColumns, AgentData, AgentParts, other_planes};
pub(crate) use contributions::{AngularContributions, Contributions, Stage, TierSums};
pub use events::{Arrived, GoalBlocked, PathFinished, TargetFound, TargetLost, WaypointReached};
pub(crate) use events::{EventQueue, notify_observers};
pub(crate) use half_spaces::{HalfSpace, LimitRow, SOFT_ROOM, SoftLimits};
pub(crate) use hierarchy::{Hierarchy, Motion, check_parents};
pub use id::{AgentId, NextAgentId};
pub(crate) use id::{IndexSlot, assign_early_ids, forget_entry};
pub use layers::{HeightSpan, SteeringHeight, SteeringLayers};
pub use locomotion::{AngularLimits, SkipIntegration, SteeringTick, ThinkEvery, WhenIdle};
pub(crate) use memory::unit_variance;
pub use memory::{Memory, RandomStream};
pub(crate) use parameter::builders;
pub use parameter::{Blend, Help, Length, ParameterRange, Priority, RuntimeState, Unit, WhenNone};
pub(crate) use right_of_way::turn;
pub use right_of_way::{Claim, EncounterRequest, Goal, RightOfWay};
pub(crate) use surface_slot::{CourseNote, ListRange, SolidLayers, SurfaceSlot, SurfaceTick};
pub use surface_slot::{SolidSurfaces, SurfaceReach};
pub use tick_context::SteeringSettings;
pub(crate) use tick_context::{InvalidInputLog, Tick, TickRef};
pub(crate) use vehicle::VehicleBlock;
pub use vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity};
pub use velocity_limits::{Firmness, VelocityLimit, VelocityLimits};
pub(crate) use velocity_limits::{Haste, NotedLimit};

#[cfg(test)]
pub(crate) use half_spaces::keep;
