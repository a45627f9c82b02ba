//! A gallery of steering behaviours: a scene for each, and some that combine several.
//!
//! ```text
//! cargo run --example gallery                                      # all scenes, in a window
//! cargo run --example gallery -- --scene flock                     # starts with this scene
//! cargo run --example gallery -- --list                            # lists the scenes
//! cargo run --example gallery -- --scene arrive --screenshot a.png --seconds 4
//! ```
//!
//! Each scene is a small file in `gallery/scenes/`; `gallery/scenes/list.rs` lists them.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_reason,
    gallery::{options::Options, scenes, window},
};
use clap::Parser;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.list {
        print!("{}", scenes::listing());
        return ExitCode::SUCCESS;
    }
    if let Some(reason) = no_window_reason() {
        eprintln!("The gallery needs a window, which cannot be opened because {reason}.");
        return ExitCode::FAILURE;
    }
    if window::run(&options).is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
