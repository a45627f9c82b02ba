//! The types that most games use: `use bevy_steer::prelude::*;`
//!
//! Names that games and physics engines often define themselves, such as
//! [`Velocity`](crate::Velocity), [`Path`](crate::Path) or [`Point`](crate::Point), are not in it:
//! import them from the crate's root.

pub use crate::{
    Agent, Align, AngularLimits, Arbitration, Arrive, ArriveProfile, Arrived, AvoidAgents,
    AvoidObstacles, AvoidWalls, Bearing, Blend, Bounds, BoundsEdge, Cruise, DebugDraw, Evade, Face,
    Feelers, Flee, Flock, GoalBlocked, KeepRotation, Length, LookWhereYouGo, MatchVelocity,
    NeighborQuery, Neighbors, Obstacle, ObstacleShape, OffsetPursue, ParamOf, PathEnd,
    PathFinished, PathFollow, PathProgress, PathStyle, Prediction, Priority, Pursue, RunSteering,
    SNeighbors, STargets, Seek, Several, SkipIntegration, Steering, SteeringAppExt,
    SteeringBehavior, SteeringForce, SteeringHeight, SteeringLayers, SteeringPlane, SteeringPlugin,
    SteeringSchedule, SteeringSystems, SteeringWish, Stop, Target, TargetFound, TargetLost,
    Targets, ThinkEvery, TurnLimits, Vehicle, VelocityLimit, VelocityLimits, Wall, Wander,
    WaypointReached, WhenIdle, Wish, WorldBounds, steering_layers,
};
#[cfg(feature = "gizmos")]
pub use crate::{SteeringGizmos, SteeringGizmosPlugin};
