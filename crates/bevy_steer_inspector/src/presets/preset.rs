//! [`Preset`]: the behaviours of an agent, as a file has them.

use core::fmt;

use bevy::reflect::{PartialReflect, Reflect};
use bevy_steer::{Arbitration, RegisteredBehavior, Vehicle};

/// The behaviours of an agent and the body that they are meant for.
#[derive(Debug, Default)]
pub struct Preset {
    /// The body that the lengths are meant for.
    pub vehicle: Option<Vehicle>,
    /// How the behaviours share the force; `None` leaves the arbitration of the agent alone.
    pub arbitration: Option<Arbitration>,
    pub(crate) behaviors: Vec<PresetBehavior>,
    /// Those of each kind together.
    pub(crate) several: Vec<(RegisteredBehavior, Vec<PresetBehavior>)>,
}

/// A behaviour of a preset.
#[derive(Debug)]
pub(crate) struct PresetBehavior {
    pub(crate) behavior: RegisteredBehavior,
    /// The fields that the file names.
    pub(crate) given: Box<dyn PartialReflect>,
    /// The behaviour: the given fields, and defaults for the others.
    pub(crate) complete: Box<dyn Reflect>,
}

impl Preset {
    /// The names of the behaviours, in the order of the file; without those of which the agent gets
    /// [`Several`](bevy_steer::Several).
    pub fn behaviors(&self) -> impl Iterator<Item = &'static str> {
        self.behaviors.iter().map(|one| one.behavior.name)
    }
}

/// An error in a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetError {
    /// Line and column, counted from 1, where they are known.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
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

/// The dialect of RON: `Some(…)` may be left out.
pub(super) fn ron_options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}
