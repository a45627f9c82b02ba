//! The command line.

use clap::Parser;

use crate::arguments::number;

/// Spawns and despawns agents for a simulated day; fails if memory grows or ticks become slower
#[derive(Parser, Clone, Debug)]
#[command(name = "soak", version)]
pub struct Options {
    /// Number of simulated hours
    #[arg(long, default_value_t = 24.0, value_parser = hours)]
    pub hours: f64,
    /// Number of table rows per simulated hour
    #[arg(long, default_value_t = 1.0, value_parser = rows)]
    pub rows_per_hour: f64,
    /// Number of agents at a time
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub agents: u32,
    /// Number of agents spawned, and despawned, in a simulated second
    #[arg(long, default_value_t = 2000.0, value_parser = births)]
    pub births: f64,
    /// Seed of the world; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

fn hours(text: &str) -> Result<f64, String> {
    number(text, 0.001..=1000.0)
}

fn rows(text: &str) -> Result<f64, String> {
    number(text, 0.01..=3600.0)
}

fn births(text: &str) -> Result<f64, String> {
    number(text, 0.001..=1e6)
}
