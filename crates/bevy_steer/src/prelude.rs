//! Everything that games commonly use: `use bevy_steer::prelude::*;`

#[cfg(feature = "ggrs")]
pub use crate::SteeringRollbackExt;
pub use crate::{
    Agent, AgentNumber, Align, AngularVelocity, Arbitration, Arrive, ArriveProfile, Arrived,
    AvoidAgents, AvoidObstacles, AvoidWalls, AvoidWallsWith, Bearing, Blend, Bounds, Edge, Evade,
    Face, FeelerCaster, FeelerHit, Feelers, Flee, Flock, Heading, KeepRotation, LookWhereYouGo,
    MatchVelocity, Neighbor, NeighborIndex, NeighborQuery, Neighbors, Obstacle, ObstacleIndex,
    ObstacleShape, OffsetPursue, Part, Path, PathEnd, PathFinished, PathFollow, PathStyle,
    Prediction, Priority, Pursue, RunSteering, Seek, Sketch, Steering, SteeringAppExt,
    SteeringBehavior, SteeringDiagnosticsPlugin, SteeringEvent, SteeringForce, SteeringLayers,
    SteeringPlane, SteeringPlugin, SteeringSchedule, SteeringSettings, SteeringSystems,
    SteeringTrace, Target, TargetLost, Targets, ThinkEvery, TurnLimits, Vehicle, Velocity, Wall,
    Wander, WaypointReached, WorldBounds,
};
#[cfg(feature = "gizmos")]
pub use crate::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringGizmosPlugin};
