//! Plays scenarios in which agents have to avoid each other, obstacles and walls, and prints how
//! well they did. `--help` lists the options.

use std::{fs, process::ExitCode};

use bevy_steer_examples::scenarios::{
    self,
    bodies::{Compared, Engine},
    headless::{play_perturbed, steering},
    options::Options,
    portraits::PORTRAITS,
    scenario::Scenario,
    table::{self, Played, Table},
};
use clap::Parser;

#[path = "scenarios/orca.rs"]
mod orca;

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
    if let Some(engine) = options.bodies {
        return compare(options, engine);
    }
    if let Some(folder) = &options.trails {
        for portrait in PORTRAITS {
            portrait.save(folder)?;
            println!("{} {}", portrait.file, portrait.caption);
        }
        return Ok(());
    }
    if options.crowds {
        play(options, scenarios::crowds::SCENARIOS.iter(), &table::CROWDS)
    } else {
        play(options, scenarios::all(), &table::SCENARIOS)
    }
}

/// Plays scenarios without bodies and with them.
fn compare(options: &Options, engine: Engine) -> Result<(), String> {
    let crowds = scenarios::crowds::SCENARIOS.iter().filter(|_| options.crowds);
    let small = scenarios::all().filter(|_| !options.crowds);
    let chosen = small.chain(crowds).filter(|scenario| scenario.name.contains(&options.only));
    let compared: Vec<_> =
        chosen.filter_map(|scenario| Compared::play(scenario, engine, options.perturbed)).collect();
    if compared.is_empty() {
        return Err(format!("no scenario in the plane has {:?} in its name", options.only));
    }
    print!("{}", table::BODIES.markdown(&compared));
    Ok(())
}

fn play<const COLUMNS: usize>(
    options: &Options,
    all: impl Iterator<Item = &'static Scenario>,
    kind: &Table<COLUMNS>,
) -> Result<(), String> {
    let chosen = all.filter(|scenario| scenario.name.contains(&options.only));
    let played = chosen.map(|scenario| Played {
        scenario,
        outcome: play_perturbed(scenario, steering, options.perturbed),
        orca: orca::play(scenario, options.perturbed),
    });
    let played: Vec<_> = played.collect();
    if played.is_empty() {
        return Err(format!("no scenario has {:?} in its name", options.only));
    }
    let table = kind.markdown(&played);
    print!("{table}");
    let Some(page) = &options.markdown else { return Ok(()) };
    let with_path = |error: String| format!("{}: {error}", page.display());
    let text = fs::read_to_string(page).map_err(|error| with_path(error.to_string()))?;
    let text = kind.replace_in(&text, &table).map_err(with_path)?;
    fs::write(page, text).map_err(|error| with_path(error.to_string()))
}
