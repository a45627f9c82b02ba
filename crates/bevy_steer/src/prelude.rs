//! Everything that games commonly use: `use bevy_steer::prelude::*;`

pub use crate::{
    Agent, AgentId, Align, AngularVelocity, Arbitration, Arrive, ArriveProfile, Arrived,
    AvoidAgents, AvoidObstacles, AvoidWalls, AvoidWallsWith, Bearing, Blend, Bounds, BoundsEdge,
    DebugDraw, DebugLayer, Evade, Face, FeelerCaster, FeelerHit, Feelers, Flee, Flock, Heading,
    KeepRotation, LookWhereYouGo, MatchVelocity, Neighbor, NeighborIndex, NeighborQuery, Neighbors,
    Obstacle, ObstacleIndex, ObstacleShape, OffsetPursue, Path, PathEnd, PathFinished, PathFollow,
    PathStyle, Prediction, Priority, Pursue, RunSteering, Seek, Steering, SteeringAppExt,
    SteeringBehavior, SteeringDiagnosticsPlugin, SteeringForce, SteeringLayers, SteeringPlane,
    SteeringPlugin, SteeringSchedule, SteeringSettings, SteeringSystems, SteeringTrace, Target,
    TargetLost, Targets, ThinkEvery, TurnLimits, Vehicle, Velocity, Wall, Wander, WaypointReached,
    WorldBounds,
};
#[cfg(feature = "gizmos")]
pub use crate::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringGizmosPlugin};
