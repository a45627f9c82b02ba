//! Does it hold for a day? A world in which thousands are born and die each second, for as many simulated hours as you like.
//!
//! ```text
//! cargo run --release --example soak                        # a day
//! cargo run --release --example soak -- --hours 1           # an hour
//! cargo run --release --example soak -- --help              # what else there is
//! ```
//!
//! It prints a row for each simulated hour, and fails if memory grows or ticks become slower. `docs/testing.md` has a day's table.

use std::process::ExitCode;

use bevy_steer_examples::soak::{options::Options, run};
use clap::Parser;
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

fn main() -> ExitCode {
    match run::soak(&Options::parse(), || MEMORY.current_usage() as u64) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}
