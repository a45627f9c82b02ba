//! Steering behaviours for Bevy: agents that seek, flee, arrive, pursue, evade, wander, flock,
//! follow paths and avoid obstacles, walls and each other. In two dimensions, on the ground of a 3D
//! world or in free space; with or without a physics engine.
//!
//! Add [`SteeringPlugin`], give entities behaviours and a [`Vehicle`], and they move:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, SteeringPlugin::default()))
//!         .add_systems(Startup, spawn)
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| {
//! #           exit.write(AppExit::Success);
//! #       })
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
//! - **Guides**: [recipes](guides::recipes), whole tasks such as [orders](guides::orders), [each
//!   behaviour](guides::behaviours), [networking](guides::networking) and more: see [`guides`]
//! - **Setup**: [`SteeringPlugin`], [`SteeringSettings`], [`SteeringSchedule`] with its
//!   [`SteeringSystems`], [`RunSteering`]
//! - **Agents**: [`Vehicle`], [`Velocity`], [`Heading`], [`SteeringPlane`], [`SteeringLayers`],
//!   [`ThinkEvery`], [`WhenIdle`], [`SkipIntegration`], [`AgentId`], [`Length`]
//! - **Targets**: [`Target`], [`Point`], [`TargetMemory`], [`Targets`] with [`TargetView`]
//! - **Moving to a target**: [`Seek`], [`Arrive`], [`Pursue`], [`OffsetPursue`], [`PathFollow`]
//!   with its [`Path`], [`Wander`]
//! - **Without a target**: [`Cruise`], [`Stop`]
//! - **Moving away**: [`Flee`], [`Evade`]
//! - **Avoiding collisions**: [`AvoidObstacles`] and [`Obstacle`], [`AvoidWalls`] and [`Wall`],
//!   [`AvoidAgents`]
//! - **Moving together**: [`Flock`], [`MatchVelocity`]
//! - **Turning**: [`Face`], [`Align`], [`LookWhereYouGo`], [`TurnLimits`], [`AngularLimits`],
//!   [`AngularVelocity`], [`KeepRotation`]
//! - **Combining behaviours**: [`Blend`] (weight, [`Priority`], enabled or not), [`Arbitration`],
//!   [`Several`] of one kind, [`SteeringWish`] for player input and scripted motion
//! - **Results**: [`SteeringForce`], and the entity events [`Arrived`], [`WaypointReached`],
//!   [`PathFinished`], [`GoalBlocked`], [`TargetFound`] and [`TargetLost`]
//! - **The world**: [`WorldBounds`] and [`Bounds`], [`Neighbors`] and [`NeighborIndex`],
//!   [`ObstacleIndex`]
//! - **Behaviours of your own**: [`SteeringBehavior`],
//!   [`add_steering_behavior`](SteeringAppExt::add_steering_behavior), [`Agent`], [`Steering`];
//!   [`STargets`] and [`SNeighbors`] as its parameters, [`ParamOf`]; [`VelocityLimits`] with its
//!   [`VelocityLimit`]s, [`Arrival`], [`Avoidance`] of [`Encounters`], [`DebugDraw`],
//!   [`RandomStream`], the macros [`blend_field!`], [`builders!`] and [`steering_layers!`]; the
//!   attributes [`Unit`], [`ParameterRange`], [`Help`], [`WhenNone`] and [`RuntimeState`] of
//!   parameters; for walls of a physics engine [`FeelerCaster`] and [`AvoidWallsWith`]
//! - **Debugging and tools**: [`SteeringTrace`], [`SteeringDiagnosticsPlugin`],
//!   `SteeringGizmosPlugin` (feature `gizmos`), [`BehaviorRegistry`], [`visit_built_in_behaviors`],
//!   and the panel in the crate `bevy_steer_inspector`
//! - **Saving and rollback**: [`visit_state`] with a [`StateVisitor`], [`NextAgentId`],
//!   [`SteeringTick`]
//! - **Without an ECS**: [`formulas`]
//!
//! # Units
//!
//! World units (metres, pixels or any other), seconds, radians, kilograms. Parameters are times,
//! angles, ratios or multiples of the agent's radius ([`Length`]) where possible, so their defaults
//! work at any scale. The documentation of each parameter gives its unit.
//!
//! `f32` has seven digits. Agents arrive as exactly as these allow at their distance from the
//! origin. If rounding swallows the steps of an agent that is too far out, a warning says so.
//!
//! # Where agents may be in a hierarchy
//!
//! Steering reads and writes `Transform::translation` as a position in the world. Agents must
//! therefore be root entities, or children of entities whose `Transform` is the identity; a warning
//! names other agents. Targets may be anywhere in a hierarchy: a turret on a moving tank is pursued
//! at its position, velocity and heading in the world.
//!
//! # What is guaranteed
//!
//! The same input gives the same bits, on any number of threads and in any order of archetypes;
//! with the feature `libm` also on Linux on x86-64 and 64-bit ARM and, as far as the examples show,
//! in a browser (Windows and macOS are not tested).
//! Only finite values are written to a `Transform`: invalid input is reported once in the log, with
//! its entity and field, and ignored.
//!
//! Invalid are NaN, a position, speed, force or length beyond ±10⁹ ([`MAX_MAGNITUDE`]), and a mass
//! outside 10⁻⁹ to 10⁹.
//!
//! # Saving and rollback
//!
//! The state of steering is in components and resources, which can be cloned, reflected and, with
//! the feature `serialize`, written and read. Every component can be written in `bsn!`.
//!
//! A world that is saved as a Bevy scene continues exactly after loading, if the scene has the
//! resources [`NextAgentId`], [`SteeringTick`], [`SteeringSettings`] and [`WorldBounds`]. For
//! rollback, [`visit_state`] calls a [`StateVisitor`] with the type of each component and resource,
//! which registers them with any rollback library.
//!
//! There are guides for both: [saving](guides::saving) and [networking](guides::networking).
//!
//! # Features
//!
//! - `parallel` (default): steers large worlds on all threads of Bevy's compute task pool.
//! - `serialize`: serde for all components and resources.
//! - `libm`: sines and the like by code of its own instead of the platform's, for the same bits on
//!   different platforms.
//! - `gizmos`: `SteeringGizmosPlugin` draws what steers the agents with Bevy's gizmos.

mod agent;
mod behavior;
mod behaviors;
mod debug;
mod ecs;
mod grid;
#[cfg(all(doc, not(doctest)))]
pub mod guides;
mod neighbors;
mod obstacles;
mod path;
mod pipeline;
mod plugin;
pub mod prelude;
mod sensing;
mod simd;
mod space;
mod state;

pub use agent::*;
pub use behavior::*;
pub use behaviors::*;
pub use debug::diagnostics::SteeringDiagnosticsPlugin;
#[cfg(feature = "gizmos")]
pub use debug::gizmos::{
    HideSteeringTrace, Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringGizmosPlugin,
};
pub use ecs::StateData;
pub use neighbors::{Neighbor, NeighborIndex, NeighborQuery, Neighbors, SNeighbors};
pub use obstacles::{Obstacle, ObstacleIndex, ObstacleShape, PlacedObstacle, Wall};
pub use path::Path;
pub use pipeline::{
    arbitration::Arbitration,
    registry::{BehaviorRegistry, RegisteredBehavior, SteeringAppExt},
    schedule::{RunSteering, SteeringSchedule, SteeringSystems},
    trace::{Contribution, SteeringTrace, TracedLimit},
};
pub use plugin::SteeringPlugin;
pub use sensing::{Course, Encounter, Encounters, Pursuit, Surroundings};
pub use simd::MAX_MAGNITUDE;
pub use space::*;
pub use state::{StateVisitor, visit_state};
