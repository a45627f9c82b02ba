//! The command line.

use clap::Parser;

/// Spawns and despawns agents for a simulated day; fails if memory grows or ticks become slower
#[derive(Parser, Clone, Debug)]
#[command(name = "soak", version)]
pub struct Options {
    /// Number of simulated hours
    #[arg(long, default_value_t = 24.0, value_parser = positive)]
    pub hours: f64,
    /// Number of table rows per simulated hour
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub rows_per_hour: f64,
    /// Number of agents at a time
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub agents: u32,
    /// Number of agents spawned, and despawned, in a simulated second
    #[arg(long, default_value_t = 2000.0, value_parser = positive)]
    pub births: f64,
    /// Seed of the world; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("must be a number above 0".into()),
    }
}
