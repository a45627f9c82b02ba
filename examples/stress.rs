//! A crowd of any size, and the cost of each of its ticks.
//!
//! ```text
//! cargo run --example stress                                    # in a window
//! cargo run --example stress -- --headless --agents 1000000     # prints a table
//! cargo run --example stress -- --help                          # all options
//! ```
//!
//! `docs/performance.md` has results and explains how they are measured.

use std::process::ExitCode;

use bevy_steer_examples::{
    display::no_window_reason,
    stress::{headless, options::Options, window},
};
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    let mut options = Options::parse();
    if !options.headless
        && let Some(reason) = no_window_reason()
    {
        println!("No window can be opened because {reason}: running headless.");
        options.headless = true;
    }
    if !options.headless {
        let exit = window::run(&options);
        return if exit.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match headless::run(&options, || MEMORY.peak_usage() as u64) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
