//! Path planning for [`bevy_steer`]: agents that find their way on grids and navigation meshes, and
//! avoid each other on it.
//!
//! # Contents
//!
//! - **A guide**: [finding the way](guide) on a grid, on a navigation mesh, and along a flow field
//! - **Setup**: [`NavigationPlugin`], [`NavigationSettings`] with [`PlanTiming`], the set
//!   [`Navigate`]
//! - **Agents**: [`NavigateTo`] with its [`NavigationTarget`], [`NavigationStatus`] and
//!   [`NavigationProgress`] ([`Plan`], [`PendingPlan`]); [`StandOnMap`]
//! - **Flow fields**, for many agents with one goal: [`FlowFollow`] with its [`FlowProgress`]
//!   follows a [`FlowField`], written by hand ([`FlowFieldError`]), built from a map by
//!   [`GridFlow`] with its [`GridFlowState`], [`FlowGoal`]s and [`FlowPlan`], or loaded from a file
//!   by `UseFlowField` (feature `assets`)
//! - **Maps**: [`NavigationMap`], its walls [`MapBorders`] and [`BorderOf`]
//! - **A grid**: [`ObstacleGrid`] from the obstacles of the world, [`GridPlanner`] from your own
//!   cells
//! - **A navigation mesh**: [`MeshPlanner`] on a [`PolygonMesh`], also from `rerecast`,
//!   `bevy_rerecast` and `vleue_navigator`
//! - **Results**: the entity events [`NavigationFinished`] and [`NavigationFailed`] with its
//!   [`NavigationFailure`]
//! - **Planners of your own**: [`PathPlanner`], [`PathQuery`], [`Border`]
//! - **Saving**: `visit_navigation_state` (feature `serialize`)
//!
//! # A first path
//!
//! Add [`NavigationPlugin`] beside `SteeringPlugin`, spawn a map, and tell agents where to go:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//! use bevy_steer_navigation::{NavigateTo, NavigationPlugin, ObstacleGrid};
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, SteeringPlugin::default(), NavigationPlugin::default()))
//!         .add_systems(Startup, spawn)
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| {
//! #           exit.write(AppExit::Success);
//! #       })
//!         .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     // The map, built from obstacles and walls, with cells of half a unit.
//!     commands.spawn(ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5));
//!     commands.spawn(Wall::new(Vec2::new(0.0, -20.0), Vec2::new(0.0, 12.0)));
//!     commands.spawn((
//!         Vehicle::default(),
//!         NavigateTo::new(Vec2::new(15.0, -9.0)),
//!         AvoidAgents::default(),
//!         Transform::from_xyz(-15.0, -9.0, 0.0),
//!     ));
//! }
//! ```
//!
//! # What happens in a tick
//!
//! In [`SteeringSystems::Prepare`](bevy_steer::SteeringSystems::Prepare) maps that have changed are
//! built, with their walls. In [`Decide`](bevy_steer::SteeringSystems::Decide), in the set
//! [`Navigate`], each agent with [`NavigateTo`] compares what its path was planned for with what it
//! wants now. If that has changed it waits for its turn, a thread of the task pool plans a new
//! path, and some ticks later the agent gets it as the path of its
//! [`PathFollow`](bevy_steer::PathFollow), which moves it. Everything else (avoidance, formations,
//! custom behaviours) works like without a map.
//!
//! # When paths are planned again
//!
//! - The target has moved: by any distance if it is a point, by a tenth of the distance to it if it
//!   is an entity ([`NavigateTo::replan_share`]).
//! - The map has changed ([`NavigationMap::version`]).
//! - The agent has made no progress for two seconds ([`NavigationSettings::stuck_after`]).
//! - The radius of its vehicle has changed.
//! - The last plan failed: after a pause that doubles with each failure.
//! - You want it to: [`NavigateTo::replan_every`].
//!
//! # Flow fields
//!
//! Where thousands of agents have one goal, as in a strategy game or a tower defence, one field of
//! directions is built instead of a path for each. Put [`GridFlow`] beside the map, and
//! [`FlowFollow`] on the agents:
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_steer::prelude::*;
//! # use bevy_steer_navigation::{FlowFollow, GridFlow, ObstacleGrid};
//! # fn spawn(mut commands: Commands) {
//! let grid = ObstacleGrid::new(Vec2::splat(-20.0), Vec2::splat(20.0), 0.5);
//! commands.spawn((grid, GridFlow::new(Vec2::new(15.0, -9.0))));
//! commands.spawn((FlowFollow::default(), AvoidWalls::default(), AvoidAgents::default()));
//! # }
//! ```
//!
//! The field is built again when its goals or its map have changed, on another thread as paths are.
//!
//! # Determinism
//!
//! By default the result of planning is used a fixed number of ticks after planning began, so that
//! agents move in the same way on every run, bit for bit, with any number of threads. See
//! [`PlanTiming`]. With [`PlanTiming::WhenReady`] a tick never waits for a plan.
//!
//! All that is kept from tick to tick is in [`NavigateTo`], [`FlowFollow`], [`GridFlow`] and
//! [`FlowField`]. Maps are not saved: build them again
//! after loading, and do not save their walls ([`BorderOf`]). A plan that was being made when the
//! game was saved is begun again.
//!
//! Rollback does not restore a map either. An [`ObstacleGrid`] of which obstacles have changed
//! within the window that is rolled back is another one than at that time, so that peers differ:
//! change maps only in ticks that are confirmed.
//!
//! # Features
//!
//! - `assets`: flow fields from files in RON, as assets of Bevy.
//! - `rerecast`: navigation meshes of `rerecast` 0.5, which are also those of `bevy_rerecast` 0.6.
//! - `serialize`: serde for [`NavigateTo`], [`StandOnMap`], [`ObstacleGrid`], [`FlowFollow`],
//!   [`GridFlow`], [`FlowField`] and [`NavigationSettings`].
//! - `vleue_navigator`: navigation meshes of `vleue_navigator` 0.17. A [`NavigationMap`] beside its
//!   `ManagedNavMesh` gets each mesh that is built.

mod events;
mod field;
mod flow;
mod grid;
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/navigation.md")]
pub mod guide {}
mod jobs;
mod map;
mod mesh;
mod navigate;
mod navigate_to;
mod planar;
mod planner;
mod plugin;
mod settings;
mod stand_on_map;
#[cfg(feature = "serialize")]
mod state;

pub use events::{NavigationFailed, NavigationFailure, NavigationFinished};
pub use field::{FlowField, FlowFieldError};
#[cfg(feature = "assets")]
pub use flow::{FlowFieldAssetPlugin, UseFlowField};
pub use flow::{FlowFollow, FlowGoal, FlowPlan, FlowProgress, GridFlow, GridFlowState};
pub use grid::{GridPlanner, ObstacleGrid};
pub use map::{BorderOf, MapBorders, NavigationMap};
pub use mesh::{MeshPlanner, PolygonMesh};
pub use navigate_to::{
    NavigateTo, NavigationProgress, NavigationStatus, NavigationTarget, PendingPlan, Plan,
};
pub use planner::{Border, PathPlanner, PathQuery};
pub use plugin::{Navigate, NavigationPlugin};
pub use settings::{NavigationSettings, PlanTiming};
pub use stand_on_map::StandOnMap;
#[cfg(feature = "serialize")]
pub use state::visit_navigation_state;
