//! Agents in situations where they could bump into each other and into things, and how well they do: `--help` says what can be asked.

use std::{fs, path::Path, process::ExitCode};

use bevy_steer_examples::scenarios::{self, headless::play_shaken, options::Options, table};
use clap::Parser;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let chosen = scenarios::all().filter(|scenario| scenario.name.contains(&options.only));
    let played: Vec<_> =
        chosen.map(|scenario| (scenario, play_shaken(scenario, options.shaken))).collect();
    if played.is_empty() {
        return Err(format!("no scenario has {:?} in its name", options.only));
    }
    let table = table::markdown(&played);
    print!("{table}");
    options.markdown.as_ref().map_or(Ok(()), |page| write_into(page, &table))
}

fn write_into(page: &Path, table: &str) -> Result<(), String> {
    let with_path = |error: String| format!("{}: {error}", page.display());
    let text = fs::read_to_string(page).map_err(|error| with_path(error.to_string()))?;
    let text = table::put_into(&text, table).map_err(with_path)?;
    fs::write(page, text).map_err(|error| with_path(error.to_string()))
}
