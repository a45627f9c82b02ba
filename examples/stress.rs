//! How many agents can it take? A crowd as large as you like, and what each tick of it costs.
//!
//! ```text
//! cargo run --release --example stress                                        # in a window
//! cargo run --release --example stress -- --headless --agents 1000000         # a table
//! cargo run --release --example stress -- --help                              # what else there is
//! ```
//!
//! `docs/performance.md` says what it comes to, and how its figures are made.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_because,
    stress::{headless, options::Options, window},
};
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let mut options = Options::parse();
    if !options.headless
        && let Some(reason) = no_window_because()
    {
        println!("No window, as {reason}: running headless.");
        options.headless = true;
    }
    if !options.headless {
        window::run(&options);
        return ExitCode::SUCCESS;
    }
    match headless::run(&options, || MEMORY.peak_usage() as u64) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
