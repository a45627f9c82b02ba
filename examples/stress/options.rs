//! The command line.

use std::path::PathBuf;

use bevy_steer::prelude::SteeringPlane;
use clap::{Parser, ValueEnum};

use crate::arguments::{number, seconds};

/// Measures what steering a crowd of any size costs per tick.
#[derive(Parser, Clone, Debug)]
#[command(name = "stress", version)]
pub struct Options {
    /// Measure without a window and print a table
    #[arg(long)]
    pub headless: bool,
    /// Number of agents
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=20_000_000))]
    pub agents: u32,
    /// Mean number of neighbours in sight of an agent
    #[arg(long, default_value_t = 16.0, value_parser = neighbors)]
    pub neighbors: f32,
    /// Space that the agents steer in
    #[arg(long, value_enum, default_value_t = Plane::Xy)]
    pub plane: Plane,
    /// Behaviours of the agents
    #[arg(long, value_enum, default_value_t = Behaviors::Flock)]
    pub behaviors: Behaviors,
    /// Number of measured ticks
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub ticks: u32,
    /// Number of ticks before those, in which the crowd gets the density and speed that it keeps
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub warm_up: u32,
    /// Number of threads that steer; the result does not depend on it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Start all agents within a tenth of the world
    #[arg(long)]
    pub clumped: bool,
    /// Edges of the world
    #[arg(long, value_enum, default_value_t = Edges::Wrap)]
    pub edges: Edges,
    /// Greatest number of neighbours that an agent considers [default: all]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_neighbors: Option<u32>,
    /// How wide an agent of a flock sees, in degrees
    #[arg(long, default_value_t = 360, value_parser = clap::value_parser!(u32).range(1..=360))]
    pub view_angle: u32,
    /// Ticks between two decisions of an agent
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub think_every: u32,
    /// Number of obstacles with --behaviors mix
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub obstacles: u32,
    /// Seed of the world; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the table to a JSON file
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// Start with the inspector open and an agent selected
    #[arg(long, conflicts_with = "headless")]
    pub inspector: bool,
    /// Save a screenshot of the window after --seconds and quit
    #[arg(long, value_name = "FILE.png", conflicts_with = "headless")]
    pub screenshot: Option<PathBuf>,
    /// Seconds until the screenshot
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    pub seconds: f32,
}

/// Space that the agents steer in.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// 2D
    Xy,
    /// The ground of a 3D world
    Xz,
    /// All three dimensions
    Free,
}

/// Edges of the world.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Agents that leave on one side come in on the opposite side
    Wrap,
    /// Agents are reflected
    Bounce,
    /// Agents are stopped
    Clamp,
    /// The world has no edges
    None,
}

/// Behaviours of the agents.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviors {
    /// `Flock`
    Flock,
    /// `Seek`, each agent with its own goal
    Seek,
    /// `Seek`, `Wander` and `AvoidObstacles`
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

fn neighbors(text: &str) -> Result<f32, String> {
    number(text, 0.001..=1e6)
}
