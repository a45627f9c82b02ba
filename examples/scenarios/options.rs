//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Plays situations in which agents must not touch each other or anything else, and prints how well they did.
#[derive(Parser, Clone, Debug)]
#[command(name = "scenarios", version)]
pub struct Options {
    /// Only those that have this in their names
    #[arg(long, value_name = "PART", default_value = "")]
    pub only: String,
    /// Play each of them so many times more, with everybody's start shaken, and count all together
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    pub shaken: u64,
    /// Write the table into a page, between its markers <!-- scenarios --> and <!-- /scenarios -->
    #[arg(long, value_name = "FILE.md", conflicts_with = "only")]
    pub markdown: Option<PathBuf>,
}
