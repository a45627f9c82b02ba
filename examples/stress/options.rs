//! The command line.

use std::path::PathBuf;

use bevy_steer::prelude::SteeringPlane;
use clap::{Parser, ValueEnum};

/// A crowd as large as you like: what does a tick of it cost?
#[derive(Parser, Clone, Debug)]
#[command(name = "stress", version)]
pub struct Options {
    /// Measure without a window, and print a table
    #[arg(long)]
    pub headless: bool,
    /// How many agents
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    pub agents: u32,
    /// How many mates each of them has in sight on average
    #[arg(long, default_value_t = 16.0, value_parser = positive)]
    pub neighbors: f32,
    /// The space they steer in
    #[arg(long, value_enum, default_value_t = Plane::Xy)]
    pub plane: Plane,
    /// What they do
    #[arg(long, value_enum, default_value_t = Behaviors::Flock)]
    pub behaviors: Behaviors,
    /// How many ticks are measured, after ten that are not
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub ticks: u32,
    /// How many threads steer; the result does not depend on them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Start all agents in a tenth of the world
    #[arg(long)]
    pub clumped: bool,
    /// What happens at the edges of the world
    #[arg(long, value_enum, default_value_t = Edges::Wrap)]
    pub edges: Edges,
    /// How many mates an agent looks at at most [default: all of them]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_neighbors: Option<u32>,
    /// Each agent decides only every so many ticks
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub think_every: u32,
    /// How many obstacles there are in a mix
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub obstacles: u32,
    /// The world's seed; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the table as JSON
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Begin with the inspector open, and somebody selected
    #[arg(long, conflicts_with = "headless")]
    pub inspector: bool,
    /// Save what the window shows after some seconds, and quit
    #[arg(long, value_name = "FILE.png", conflicts_with = "headless")]
    pub screenshot: Option<PathBuf>,
    /// After how many seconds the screenshot is taken
    #[arg(long, default_value_t = 5.0, value_parser = positive)]
    pub seconds: f32,
}

/// The space that the agents steer in.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// 2D
    Xy,
    /// The ground
    Xz,
    /// All three dimensions
    Free,
}

/// What happens to agents at the edges of the world.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Who leaves on one side comes in on the other
    Wrap,
    /// Who reaches them is reflected
    Bounce,
    /// Who reaches them is stopped
    Clamp,
    /// There are none
    None,
}

/// What the agents do.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviors {
    /// Keep with their mates
    Flock,
    /// Head for a place each
    Seek,
    /// Head for a place each, stroll, and go round obstacles
    Mix,
}

impl From<Plane> for SteeringPlane {
    fn from(plane: Plane) -> Self {
        match plane {
            Plane::Xy => Self::Xy,
            Plane::Xz => Self::Xz,
            Plane::Free => Self::Free,
        }
    }
}

fn positive(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("must be a number above zero".to_owned()),
    }
}
