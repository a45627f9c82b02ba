//! An endurance test: thousands of agents are spawned and despawned each second for a simulated
//! day.
//!
//! ```text
//! cargo run --example soak                        # a day
//! cargo run --example soak -- --hours 1           # an hour
//! cargo run --example soak -- --help              # all options
//! ```
//!
//! It prints a row for each simulated hour and fails if memory grows or ticks become slower.
//! `docs/testing.md` has the table of a day.

use std::process::ExitCode;

use bevy_steer_examples::soak::{options::Options, run};
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    match run::soak(&Options::parse(), || MEMORY.current_usage() as u64) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
