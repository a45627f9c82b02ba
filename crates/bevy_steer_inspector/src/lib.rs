//! A panel for [`bevy_steer`]: shows what steers an agent, changes it while the game runs, and
//! saves the result as a preset.
//!
//! Add [`SteeringInspectorPlugin`]. The panel is open at the start
//! ([`closed`](SteeringInspectorPlugin::closed) changes that); F1 closes and opens it:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//! use bevy_steer_inspector::SteeringInspectorPlugin;
//!
//! # fn add(app: &mut App) {
//! app.add_plugins((SteeringPlugin::default(), SteeringInspectorPlugin::default()));
//! # }
//! ```
//!
//! Click an agent in the world or in the list. The panel shows the force of each behaviour and has
//! all their parameters, those of your own registered behaviours too. Ctrl (on a Mac Cmd) and Shift
//! select several agents, to which edits apply together. Ctrl+Z undoes an edit, Ctrl+Shift+Z or
//! Ctrl+Y redoes it, and ↺ gives a value its default. The attributes [`Unit`](bevy_steer::Unit),
//! [`ParameterRange`](bevy_steer::ParameterRange), [`Help`](bevy_steer::Help) and
//! [`RuntimeState`](bevy_steer::RuntimeState) on the fields of a behaviour tell the panel how to
//! show them.
//!
//! # Contents
//!
//! - **Setup**: [`SteeringInspectorPlugin`], its state [`Inspector`], [`Side`], [`Scope`]
//! - **In another window, or without one**: [`InspectorCorePlugin`], [`inspector_ui`]
//! - **Picking agents in the world**: [`click`], [`nearest_to_ray`], [`Sight`], [`PickRequest`]
//! - **Time**: [`pause_time`], [`step_time`]
//! - **Presets**: [`presets`]
//! - **Code that spawns an agent as it is**: [`write_code`], [`Language`]
//! - **Leaving the app**: [`leave_panel`], which asks before edits are lost
//! - **Panels of the game's own**: [`PanelWidth`]

mod accessible;
mod agents;
mod change;
mod editors;
mod panel;
mod plugin;
pub mod presets;
mod reflection;
mod reset;
mod sections;
mod selected;
mod state;
mod style;
mod window;
mod world;

pub use panel::inspector_ui;
pub use plugin::{InspectorCorePlugin, SteeringInspectorPlugin};
pub use presets::code::{Language, write_code};
pub use sections::leave::leave_panel;
pub use state::{
    inspector::{Inspector, PickRequest, Scope, Side},
    time::{pause_time, step_time},
};
pub use window::dock::PanelWidth;
pub use world::{
    click::click,
    ring::ring_of,
    sight::{Sight, nearest_to_ray},
};
