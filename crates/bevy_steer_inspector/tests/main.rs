//! All integration tests of the crate. One program, as each one links all of Bevy.

mod cameras;
mod clicks;
mod common;
mod determinism;
mod keyboard;
mod limits;
mod many;
mod panel;
mod parameters;
mod preset_assets;
mod presets;
mod world;
