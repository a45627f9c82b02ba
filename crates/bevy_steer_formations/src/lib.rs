//! Formations for [`bevy_steer`]: agents that keep their slots in a pattern around an anchor, which
//! waits for them.
//!
//! # Contents
//!
//! - **Setup**: [`FormationPlugin`], the set [`FormUp`]
//! - **The anchor**: [`Formation`] with its [`Pattern`] and [`FormationMemory`],
//!   [`FormationMembers`], [`WaitForMembers`] with its [`WaitForMembersMemory`]
//! - **Members**: [`MemberOf`], [`FormationSlot`]
//! - **Results**: the entity events [`FormationFormed`] and [`FormationBroken`]
//! - **Patterns from files** (feature `assets`): `UsePattern`, `FormationAssetPlugin`
//! - **Saving**: `visit_formation_state` (feature `serialize`)
//! - **A guide**: [moving in formation](guide)
//!
//! # A first formation
//!
//! Add [`FormationPlugin`] beside `SteeringPlugin`, spawn an anchor, and tell agents to be members:
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_steer::prelude::*;
//! use bevy_steer_formations::{Formation, FormationPlugin, MemberOf, Pattern};
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((MinimalPlugins, SteeringPlugin::default(), FormationPlugin))
//!         .add_systems(Startup, spawn)
//! #       .add_systems(Update, |mut exit: MessageWriter<AppExit>| {
//! #           exit.write(AppExit::Success);
//! #       })
//!         .run();
//! }
//!
//! fn spawn(mut commands: Commands) {
//!     // The leader goes somewhere, as any other agent does, and waits for the others.
//!     let leader = (Vehicle::default(), Arrive::new(Vec2::new(40.0, 10.0)));
//!     let leader = commands.spawn((leader, Formation::new(Pattern::Wedge))).id();
//!     for i in 0..8 {
//!         let place = Transform::from_xyz(-10.0, 3.0 * i as f32 - 12.0, 0.0);
//!         commands.spawn((Vehicle::default(), MemberOf(leader), AvoidAgents::default(), place));
//!     }
//! }
//! ```
//!
//! # What happens in a tick
//!
//! In [`SteeringSystems::Decide`](bevy_steer::SteeringSystems::Decide), in the set [`FormUp`], each
//! formation compares its pattern and members with those of the last tick. If something has changed
//! it assigns the slots. It writes each member's slot into its
//! [`OffsetPursue`](bevy_steer::OffsetPursue), which moves it, and measures how far the members are
//! from their slots. By that [`WaitForMembers`] limits the speed of an anchor that is an agent. An
//! anchor that the game moves reads [`Formation::pace`].
//!
//! # Determinism
//!
//! The same input gives the same bits, in any order of spawning, on any number of threads. Members
//! that are equally near a slot are told apart by their [`AgentId`](bevy_steer::AgentId). All that
//! is kept from tick to tick is in [`Formation`] and [`FormationSlot`].
//!
//! # Features
//!
//! - `assets`: patterns from files `*.formation.ron`. Includes `serialize`.
//! - `serialize`: serde for all components.

mod arrangement;
#[cfg(feature = "assets")]
mod asset;
mod assignment;
mod events;
mod form_up;
mod formation;
mod frame;
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../guides/links.md")]
#[doc = include_str!("../guides/formations.md")]
pub mod guide {}
mod measure;
mod members;
mod pattern;
mod plugin;
#[cfg(feature = "serialize")]
mod state;
mod wait;

#[cfg(feature = "assets")]
pub use asset::{FormationAssetPlugin, UsePattern};
pub use events::{FormationBroken, FormationFormed};
pub use formation::{Formation, FormationMemory};
pub use members::{FormationMembers, FormationSlot, MemberOf};
pub use pattern::Pattern;
pub use plugin::{FormUp, FormationPlugin};
#[cfg(feature = "serialize")]
pub use state::visit_formation_state;
pub use wait::{WaitForMembers, WaitForMembersMemory};
