//! The command line.

use std::path::PathBuf;

use clap::Parser;

use super::bodies::Engine;

/// Plays scenarios in which agents must not touch each other, obstacles or walls; prints how well
/// they did
#[derive(Parser, Clone, Debug)]
#[command(name = "scenarios", version)]
pub struct Options {
    /// Play only scenarios with this in their names
    #[arg(long, value_name = "PART", default_value = "")]
    pub only: String,
    /// Play each scenario this many more times from perturbed start positions; count all together
    #[arg(long, value_name = "TIMES", default_value_t = 0)]
    pub perturbed: u64,
    /// Play the crowds instead: exits, hallways, streams that meet
    #[arg(long)]
    pub crowds: bool,
    /// Compare with the same agents moved by bodies of a physics engine
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "avian", conflicts_with = "markdown")]
    pub bodies: Option<Engine>,
    /// Draw the trails of six crowds into this folder instead, and print a line for each picture
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["only", "perturbed", "markdown"])]
    pub trails: Option<PathBuf>,
    /// Write the table into a page, in the place of the old one
    #[arg(long, value_name = "FILE.md", conflicts_with = "only")]
    pub markdown: Option<PathBuf>,
}
