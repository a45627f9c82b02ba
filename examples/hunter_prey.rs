//! Hunters chase the nearest prey until their stamina runs out, rest while they wander, and chase again; prey wander, flee
//! hunters that come near, and follow the mouse when none does.
//!
//! ```text
//! cargo run --release --example hunter_prey                 # in a window
//! cargo run --release --example hunter_prey -- --headless   # as fast as the machine goes
//! cargo run --release --example hunter_prey -- --help       # what else there is
//! ```
//!
//! The game itself is in `hunter_prey/`: who is there in `spawn.rs`, what they do in `rules.rs`.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_because,
    hunter_prey::{headless, options::Options, window},
};
use clap::Parser;

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless {
        return finish(headless::run(&options));
    }
    if let Some(reason) = no_window_because() {
        println!("No window, as {reason}: running headless.");
        return finish(headless::run(&options));
    }
    window::run(&options);
    ExitCode::SUCCESS
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
