//! The command line.

use clap::Parser;

/// Does steering hold for a day of births and deaths?
#[derive(Parser, Clone, Debug)]
#[command(name = "soak", version)]
pub struct Options {
    /// How many hours are simulated
    #[arg(long, default_value_t = 24.0, value_parser = positive)]
    pub hours: f64,
    /// How many rows the table has for each of them
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub rows_per_hour: f64,
    /// How many are alive at a time
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub agents: u32,
    /// How many are born, and die, in a simulated second
    #[arg(long, default_value_t = 2000.0, value_parser = positive)]
    pub births: f64,
    /// The world's seed; the same seed gives the same run
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("must be a number above zero".into()),
    }
}
