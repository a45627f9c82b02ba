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
mod pasted_code;
mod preset_assets;
mod preset_panel;
mod presets;
mod required_behaviors;
mod world;
