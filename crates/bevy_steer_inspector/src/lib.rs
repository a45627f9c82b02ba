//! A panel for [`bevy_steer`]: see what steers an agent, change it while the game runs, keep what is good.
//!
//! Add [`SteeringInspectorPlugin`] and press F1:
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
//! Click an agent in the world or in the list. The panel shows who pushes it and how hard, and has every parameter of its
//! behaviours, also of behaviours that you have registered yourself.
//!
//! # Contents
//!
//! - **Setting up**: [`SteeringInspectorPlugin`], its state [`Inspector`], [`Side`], [`Scope`]
//! - **In a window of your own, or without one**: [`InspectorCorePlugin`], [`inspector_ui`]
//! - **Finding agents in the world**: [`click`], [`nearest_to_ray`], [`Sight`]
//! - **Presets**: [`presets`]

mod agents;
mod dock;
mod editors;
mod inspector;
mod panel;
mod plugin;
pub mod presets;
mod sections;
mod selected;
mod selection;
mod style;
mod world;

pub use dock::Side;
pub use inspector::{Inspector, Scope};
pub use panel::inspector_ui;
pub use plugin::{InspectorCorePlugin, SteeringInspectorPlugin};
pub use selected::pick::PickRequest;
pub use world::{
    click::{Sight, click, nearest_to_ray},
    ring::ring_of,
};
