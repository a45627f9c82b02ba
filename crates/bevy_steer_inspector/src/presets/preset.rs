//! Presets: the behaviours of an agent in a file, to give them to others.
//!
//! A preset is RON, made to be read and written by people too:
//!
//! ```ron
//! (
//!     vehicle: (max_speed: 5.0, radius: 0.5),
//!     behaviors: {
//!         "Flee": (target: Nearest(layers: (1), within: 8.0), panic_distance: 4.0),
//!         "Wander": (rate: 1.5, blend: (weight: 0.5)),
//!     },
//! )
//! ```
//!
//! - **Behaviours** go by the [names](bevy_steer::RegisteredBehavior::name) under which they are registered, a game's own
//!   like the built-in ones. Loading makes the agent have these and no others.
//! - **Fields that are left out** have their defaults; so have whole behaviours written as `()`. Those that say whom or what a
//!   behaviour is about (a [`Target`](bevy_steer::Target), a [`Bearing`](bevy_steer::Bearing), a
//!   [`Path`](bevy_steer::Path), an `Entity`) stay as they are if the agent has the behaviour already.
//! - **Entities** mean nothing in another run, so that fields which hold one are left out when a preset is saved.
//! - **What a behaviour remembers** ([`TargetMemory`](bevy_steer::TargetMemory), its progress, its random numbers) is not saved, and
//!   stays as it is when a preset is loaded.
//! - **The vehicle** says for which body the lengths are meant. They are scaled to the radius of the agent that gets them, so
//!   that a preset made in metres is right in pixels too; only the lengths of `bevy_steer`'s own behaviours are known as such.
//!   The agent keeps its own body, unless one [asks](Preset::apply) for that of the preset.
//! - **`arbitration`** is optional too.
//!
//! A file is read and checked as a whole before anything is changed.

mod apply;
mod read;
mod scale;
pub(crate) mod section;
mod write;

use core::fmt;

use bevy::reflect::{PartialReflect, Reflect};
use bevy_steer::{Arbitration, RegisteredBehavior, Vehicle};

pub use write::write;

/// The behaviours of an agent, and the body that they are meant for.
#[derive(Debug, Default)]
pub struct Preset {
    /// The body for which the lengths are meant.
    pub vehicle: Option<Vehicle>,
    /// How the agent decides between its behaviours.
    pub arbitration: Option<Arbitration>,
    pub(crate) behaviors: Vec<PresetBehavior>,
}

/// A behaviour of a preset: what the file says about it, and that with everything else at its default.
#[derive(Debug)]
pub(crate) struct PresetBehavior {
    pub(crate) behavior: RegisteredBehavior,
    pub(crate) said: Box<dyn PartialReflect>,
    pub(crate) whole: Box<dyn Reflect>,
}

impl Preset {
    /// The names of its behaviours, in the order of the file.
    pub fn behaviors(&self) -> impl Iterator<Item = &'static str> {
        self.behaviors.iter().map(|one| one.behavior.name)
    }
}

/// What is wrong with a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetError {
    /// Where, as line and column from 1, where that is known.
    pub at: Option<(usize, usize)>,
    /// What.
    pub message: String,
}

impl PresetError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { at: None, message: message.into() }
    }
}

impl fmt::Display for PresetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for PresetError {}

/// How presets are written and read: `Some(…)` may be left out.
fn format() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}
