//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Hunters chase prey: the showpiece of `bevy_steer`.
#[derive(Parser, Clone, Debug)]
#[command(name = "hunter_prey", version)]
pub struct Options {
    /// Run without a window, as fast as the machine goes
    #[arg(long)]
    pub headless: bool,
    /// Simulated seconds of a headless run; in a window: quit after them, if given
    #[arg(long, value_parser = positive_seconds)]
    pub seconds: Option<f32>,
    /// The world's seed; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many hunters
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub hunters: u32,
    /// How many prey
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub prey: u32,
    /// How many obstacles
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub obstacles: u32,
    /// Threads of a headless run; the result does not depend on them
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Bounce off the arena's edge instead of wrapping round
    #[arg(long)]
    pub bounce: bool,
    /// Write the table of a headless run as JSON
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Draw the trails of a few agents of a headless run
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// Save what the window shows when the run's seconds (or 5) are over, and quit
    #[arg(long, value_name = "FILE.png", conflicts_with = "headless")]
    pub screenshot: Option<PathBuf>,
    /// Begin with the force arrows on
    #[arg(long)]
    pub forces: bool,
}

impl Options {
    /// How long a run without a window lasts.
    pub fn headless_seconds(&self) -> f32 {
        self.seconds.unwrap_or(60.0)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::parse_from(["hunter_prey"])
    }
}

fn positive_seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds above 0, up to 1000000".to_owned()),
    }
}
