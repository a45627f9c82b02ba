//! What nearly every game uses: `use bevy_steer::prelude::*;`
//!
//! Names that a game or a physics engine is likely to have itself, such as
//! [`Velocity`](crate::Velocity) or [`Path`](crate::Path), are left out: import them from the
//! crate's root.

pub use crate::{
    Agent, Align, Arbitration, Arrive, ArriveProfile, Arrived, AvoidAgents, AvoidObstacles,
    AvoidWalls, Bearing, Blend, Bounds, BoundsEdge, DebugDraw, Evade, Face, Flee, Flock,
    LookWhereYouGo, MatchVelocity, Neighbors, Obstacle, OffsetPursue, PathEnd, PathFinished,
    PathFollow, Prediction, Priority, Pursue, RunSteering, Seek, Steering, SteeringAppExt,
    SteeringBehavior, SteeringForce, SteeringLayers, SteeringPlane, SteeringPlugin,
    SteeringSchedule, SteeringSystems, Target, TargetLost, Targets, ThinkEvery, Vehicle, Wall,
    Wander, WaypointReached, WorldBounds,
};
#[cfg(feature = "gizmos")]
pub use crate::{SteeringGizmos, SteeringGizmosPlugin};
