//! The types that most games use: `use bevy_steer::prelude::*;`
//!
//! Names that games and physics engines often define themselves, such as
//! [`Velocity`](crate::Velocity) or [`Path`](crate::Path), are not in it: import them from the
//! crate's root.

pub use crate::{
    Agent, Align, Arbitration, Arrive, ArriveProfile, Arrived, AvoidAgents, AvoidObstacles,
    AvoidWalls, Bearing, Blend, Bounds, BoundsEdge, Cruise, DebugDraw, Evade, Face, Flee, Flock,
    LookWhereYouGo, MatchVelocity, Neighbors, Obstacle, OffsetPursue, ParamOf, PathEnd,
    PathFinished, PathFollow, PathProgress, Prediction, Priority, Pursue, RunSteering, SNeighbors,
    STargets, Seek, Several, Steering, SteeringAppExt, SteeringBehavior, SteeringForce,
    SteeringHeight, SteeringLayers, SteeringPlane, SteeringPlugin, SteeringSchedule,
    SteeringSystems, SteeringWish, Stop, Target, TargetFound, TargetLost, Targets, ThinkEvery,
    Vehicle, VelocityLimit, VelocityLimits, Wall, Wander, WaypointReached, WhenIdle, Wish,
    WorldBounds,
};
#[cfg(feature = "gizmos")]
pub use crate::{SteeringGizmos, SteeringGizmosPlugin};
