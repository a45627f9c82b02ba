//! A gallery of steering: a scene for each behaviour, and some for what they do together.
//!
//! ```text
//! cargo run --release --example gallery                                      # all of it, in a window
//! cargo run --release --example gallery -- --scene flock                     # begin with this scene
//! cargo run --release --example gallery -- --list                            # what there is
//! cargo run --release --example gallery -- --scene arrive --screenshot a.png --seconds 4
//! ```
//!
//! Each scene is a small file in `gallery/scenes/`; `gallery/scenes/mod.rs` lists them.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_because,
    gallery::{options::Options, scenes, window},
};
use clap::Parser;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.list {
        print!("{}", scenes::list());
        return ExitCode::SUCCESS;
    }
    if let Some(reason) = no_window_because() {
        eprintln!("The gallery needs a window, and {reason}.");
        return ExitCode::FAILURE;
    }
    window::run(&options);
    ExitCode::SUCCESS
}
