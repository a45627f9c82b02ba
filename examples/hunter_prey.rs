//! Hunters chase the nearest prey until their stamina runs out, rest while they wander, and chase
//! again; they hunt in trios, two of which take the flanks. Prey swim in schools, flee from hunters
//! that come near, and otherwise follow the mouse and lures.
//!
//! ```text
//! cargo run --example hunter_prey                 # in a window
//! cargo run --example hunter_prey -- --headless   # without a window, at full speed
//! cargo run --example hunter_prey -- --help       # all options
//! ```
//!
//! The game itself is in `hunter_prey/`: `spawn.rs` creates the agents, `rules.rs` switches their
//! behaviours, and `view/` draws what is seen.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_reason,
    hunter_prey::{headless, options::Options, window},
};
use clap::Parser;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless {
        return finish(headless::run(&options));
    }
    if let Some(reason) = no_window_reason() {
        println!("No window can be opened because {reason}: running headless.");
        return finish(headless::run(&options));
    }
    if window::run(&options).is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn finish(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
