//! Presets: the behaviours of an agent in a file, to give them to other agents.
//!
//! A preset is RON and can be read and written by hand:
//!
//! ```ron
//! (
//!     vehicle: (max_speed: 5.0, radius: 0.5),
//!     behaviors: {
//!         "Flee": (target: Nearest(layers: (1), within: 8.0), panic_distance: 4.0),
//!         "Wander": (rate: 1.5, blend: (weight: 0.5)),
//!     },
//!     several: {"Evade": [(max_look_ahead: 1.0), ()]},
//! )
//! ```
//!
//! - **Behaviours** have the [names](bevy_steer::RegisteredBehavior::name) under which they are
//!   registered, those of a game too. A preset replaces the behaviours of the agent.
//! - **Orders and input** stay: behaviours that presets do not
//!   [hold](bevy_steer::SteeringBehavior::IN_PRESETS), such as [`Wish`](bevy_steer::Wish), are
//!   neither saved nor removed. One that is in the file is applied.
//! - **Behaviours that another component requires**, as a planner requires the one that follows
//!   its paths, are not removed. That component says what they are directed at, and where they are
//!   to be: such fields (also a `Vec3`) are not saved, and keep their values even if the file has
//!   them.
//! - **`several`** has those of which the agent gets [`Several`](bevy_steer::Several). It may be
//!   left out.
//! - **Fields that are left out** get their defaults, and so do whole behaviours written as `()`.
//!   Fields that say what a behaviour is directed at (a [`Target`](bevy_steer::Target), a
//!   [`Bearing`](bevy_steer::Bearing), a [`Path`](bevy_steer::Path), an `Entity`) keep their values
//!   if the agent already has the behaviour.
//! - **Entities** have no meaning in another run. Fields that hold one are not saved. Nor are
//!   layers ([`SteeringLayers`](bevy_steer::SteeringLayers)): they say what an agent is.
//! - **Runtime state** ([`RuntimeState`](bevy_steer::RuntimeState)) is not saved, and keeps its
//!   value when a preset is applied.
//! - **The vehicle** is the body that the lengths are meant for. Lengths
//!   ([`Unit::Length`](bevy_steer::Unit::Length)) are scaled by the radius of the agent that gets
//!   them, so that a preset made in metres works in pixels too. The agent keeps its own body,
//!   unless [`Preset::apply`] is told otherwise.
//! - **`arbitration`** is optional.
//!
//! A file is read and checked completely before anything changes.
//!
//! The panel saves a preset as `NAME.preset.ron`, and loads that, or else `NAME.ron`.
//!
//! With [`PresetAssetPlugin`] a preset is an asset: [`UsePreset`] gives it to an agent, again
//! whenever the file changes.

mod apply;
mod asset;
pub(crate) mod code;
mod code_writer;
mod imports;
mod literals;
mod preset;
mod read;
mod scale;
pub(crate) mod section;
mod value_writer;
mod write;

pub use asset::{PresetAsset, PresetAssetPlugin, UsePreset};
pub use preset::{Preset, PresetError};
pub use write::write;
