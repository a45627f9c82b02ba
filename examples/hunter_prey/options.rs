//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::arguments::seconds;

/// A game of hunters and prey, steered by `bevy_steer`.
#[derive(Parser, Clone, Debug)]
#[command(name = "hunter_prey", version)]
pub struct Options {
    /// Run without a window, at full speed
    #[arg(long)]
    pub headless: bool,
    /// Simulated seconds of a headless run [default: 60]; in a window, real seconds until it quits
    #[arg(long, value_parser = seconds)]
    pub seconds: Option<f32>,
    /// Seed of the world; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of hunters, which hunt in trios
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub hunters: u32,
    /// Number of prey, which start in schools
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub prey: u32,
    /// Number of obstacles
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub obstacles: u32,
    /// Number of threads of a headless run; the result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Make agents bounce off the arena's edge instead of wrapping around
    #[arg(long)]
    pub bounce: bool,
    /// Write the table of a headless run to a JSON file
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Write a picture of some agents' trails in a headless run
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// Save a screenshot of the window after --seconds (5 if not given) and quit
    #[arg(long, value_name = "FILE.png", conflicts_with = "headless")]
    pub screenshot: Option<PathBuf>,
    /// Record the movie of the README, as a picture for each frame, and quit
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["headless", "screenshot", "seconds"])]
    pub movie: Option<PathBuf>,
    /// Start with steering forces drawn
    #[arg(long)]
    pub forces: bool,
    /// Draw bloom also without graphics hardware, where it is slow
    #[arg(long)]
    pub bloom: bool,
}

impl Options {
    /// The length of a headless run, in simulated seconds.
    pub fn headless_seconds(&self) -> f32 {
        self.seconds.unwrap_or(60.0)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::parse_from(["hunter_prey"])
    }
}
