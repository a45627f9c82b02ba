//! Editors of parameters.
//!
//! `bevy-inspector-egui` draws components from what reflection knows. This folder adds what it does
//! not have: sliders with units, targets that are picked in the world, layers, optional distances.

mod editor;
pub(crate) mod entity;
mod layers;
mod length;
pub(crate) mod number;
mod optional;
mod path;
mod random;
pub(crate) mod registry;
mod target;
