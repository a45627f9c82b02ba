//! Steering behaviours for Bevy: characters that seek, flee, arrive, pursue, evade, wander, flock, follow paths and avoid
//! what is in their way. In two dimensions, on the ground, or in free space; with or without a physics engine.
//!
//! Add [`SteeringPlugin`], give entities a [`Vehicle`] and behaviours, and they move:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, SteeringPlugin::default()))
//!         .add_systems(Startup, spawn)
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| { exit.write(AppExit::Success); })
//!         .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     let rabbit = commands.spawn((Vehicle::new(90.0), Wander::default())).id();
//!     commands.spawn((
//!         Vehicle::new(100.0),
//!         Pursue::new(rabbit),
//!         AvoidObstacles::default(),
//!         Transform::from_xyz(-200.0, 0.0, 0.0),
//!     ));
//!     commands.spawn((Obstacle::sphere(30.0), Transform::from_xyz(-100.0, 0.0, 0.0)));
//! }
//! ```
//!
//! # Contents
//!
//! - **Setting up**: [`SteeringPlugin`], [`SteeringSettings`], [`SteeringSchedule`] and its [`SteeringSystems`]
//! - **Agents**: [`Vehicle`], [`Velocity`], [`Heading`], [`SteeringPlane`], [`SteeringLayers`], [`AgentNumber`]
//! - **Getting somewhere**: [`Seek`], [`Arrive`], [`Pursue`], [`OffsetPursue`], [`PathFollow`] and its [`Path`], [`Wander`]
//! - **Getting away**: [`Flee`], [`Evade`]
//! - **Not bumping into things**: [`AvoidObstacles`] and [`Obstacle`], [`AvoidWalls`] and [`Wall`], [`AvoidAgents`]
//! - **Together**: [`Flock`], [`MatchVelocity`]
//! - **Turning**: [`Face`], [`Align`], [`LookWhereYouGo`], [`AngularVelocity`], [`KeepRotation`]
//! - **Whom it is about**: [`Target`], its [`Tracking`], [`Targets`]
//! - **Who decides**: [`Blend`] (weight, [`Priority`], on and off), [`Arbitration`]
//! - **What comes out**: [`SteeringForce`]; the events [`Arrived`], [`WaypointReached`], [`PathFinished`], [`TargetLost`]
//! - **The world**: [`WorldBounds`] and [`Bounds`], [`Neighbors`], [`ObstacleIndex`]
//! - **A behaviour of your own**: [`SteeringBehavior`], [`SteeringAppExt::add_steering_behavior`], [`Agent`], [`Steering`]
//! - **Looking into it**: [`SteeringTrace`], [`BehaviorRegistry`], [`SteeringDiagnosticsPlugin`], `SteeringGizmosPlugin`
//!   (feature `gizmos`), the panel in the crate `bevy_steer_inspector`
//! - **Over a network**: `SteeringRollbackExt` (feature `ggrs`)
//! - **Without an ECS**: [`formulas`]
//!
//! # Units
//!
//! World units (metres, pixels: as you like), seconds, radians, kilograms. Parameters are times, angles or ratios where they
//! can be, so that the defaults hold at any scale; what is a length says so.
//!
//! # Where agents are
//!
//! `Transform.translation` is an agent's place: agents are roots, or children of parents that do not move, turn or scale.
//! Targets may be anywhere in a hierarchy.
//!
//! # What is promised
//!
//! The same input gives the same bits, whatever the number of threads and the order of archetypes; with the feature `libm`
//! on every platform. Nothing that is not finite is ever written to a `Transform`: what makes no sense is named once in the
//! log, with its entity and field, and left out.
//!
//! # Saving and rolling back
//!
//! All that steering keeps from tick to tick is in components and resources that can be cloned, reflected and, with the feature
//! `serialize`, written and read. A world that is written as a Bevy scene with its resources ([`NextAgentNumber`], [`SteeringTick`],
//! [`SteeringSettings`], [`WorldBounds`]) goes on where it is read, to the bit; so does one that is rolled back by `bevy_ggrs`
//! (feature `ggrs`). Every component can be written in `bsn!`. The guides `docs/saving.md` and `docs/networking.md` in the repository show how.
//!
//! # Features
//!
//! - `parallel` (default): large worlds are steered on all threads of Bevy's compute task pool.
//! - `serialize`: serde for all components and resources.
//! - `libm`: the same bits on every platform.
//! - `gizmos`: `SteeringGizmosPlugin` draws what steers whom, through Bevy's gizmos.
//! - `ggrs`: `SteeringRollbackExt` has `bevy_ggrs` roll steering back.

mod agent;
mod ahead;
mod arbitration;
mod behavior;
mod behaviors;
mod blend;
mod blocks;
mod bounds;
mod combine;
mod contributions;
mod diagnostics;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
mod integrate;
mod lanes;
mod layers;
mod look;
mod neighbors;
mod number;
mod obstacles;
mod offences;
mod path;
mod plane;
mod plugin;
pub mod prelude;
mod random;
mod register;
#[cfg(feature = "ggrs")]
mod rollback;
mod rows;
mod schedule;
mod share;
mod sketch;
mod steer;
mod target;
mod think;
mod tick;
mod trace;
mod vector;
mod vehicle;

pub use arbitration::Arbitration;
pub use behavior::{Agent, Steering, SteeringBehavior};
pub use behaviors::*;
pub use blend::{Blend, Priority};
pub use bounds::{Bounds, Edge, WorldBounds};
pub use diagnostics::SteeringDiagnosticsPlugin;
pub use events::{Arrived, PathFinished, SteeringEvent, TargetLost, WaypointReached};
#[cfg(feature = "gizmos")]
pub use gizmos::{Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringGizmosPlugin};
pub use layers::SteeringLayers;
pub use neighbors::{Demanded, Neighbor, NeighborIndex, NeighborQuery, Neighbors};
pub use number::{AgentNumber, NextAgentNumber};
pub use obstacles::{
    FeelerCaster, FeelerHit, Obstacle, ObstacleCaster, ObstacleIndex, ObstacleShape,
    PlacedObstacle, Wall,
};
pub use path::Path;
pub use plane::{IntoPoint, SteeringPlane};
pub use plugin::{SteeringPlugin, SteeringSettings};
pub use random::RandomStream;
pub use register::{BehaviorRegistry, RegisteredBehavior, SteeringAppExt};
#[cfg(feature = "ggrs")]
pub use rollback::SteeringRollbackExt;
pub use schedule::{RunSteering, SteeringSchedule, SteeringSystems};
pub use sketch::{Part, Sketch, Stroke};
pub use target::{Sighting, Target, Targets, Tracking};
pub use think::{SteeringTick, ThinkEvery};
pub use trace::{Contribution, SteeringTrace};
pub use vehicle::{AngularVelocity, Heading, KeepRotation, SteeringForce, Vehicle, Velocity};
