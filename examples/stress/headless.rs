//! The crowd without a window, at full speed.

use std::{
    fs,
    io::{self, Write},
};

use bevy::{diagnostic::DiagnosticsStore, prelude::*};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    options::Options,
    report::{Report, hash_of_agents},
    timings::{Timings, index_statistics},
    world::CrowdPlugin,
};
use crate::clock;

/// Measures, prints the table, and writes the report if one was asked for. `peak_memory` returns
/// the peak memory of the process in bytes.
///
/// # Errors
/// If the report cannot be written.
pub fn run(options: &Options, peak_memory: impl Fn() -> u64) -> Result<(), String> {
    let report = measure(options, peak_memory, true);
    // A closed pipe, as with `head`, is not an error.
    let _ = io::stdout().write_all(report.table().as_bytes());
    let Some(path) = &options.report else { return Ok(()) };
    let json = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
    fs::write(path, json + "\n")
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Runs the crowd and returns the results.
pub fn measure(options: &Options, peak_memory: impl Fn() -> u64, show_progress: bool) -> Report {
    let mut app = clock::headless_app(Some(options.threads.into()));
    app.add_plugins(CrowdPlugin { options: options.clone() }).init_resource::<DiagnosticsStore>();
    clock::start(&mut app);
    let total = options.warm_up + options.ticks;
    let bar = if show_progress { progress_bar(total) } else { ProgressBar::hidden() };
    let mut timings = Timings::default();
    for tick in 0..total {
        app.update();
        bar.inc(1);
        if tick >= options.warm_up {
            timings.record(app.world().resource::<DiagnosticsStore>());
        }
    }
    bar.finish_and_clear();
    let mut report = Report::new(options, &timings, hash_of_agents(app.world_mut()));
    report.peak_memory_bytes = peak_memory();
    (report.index_memory_bytes, report.true_neighbors) = index_statistics(&mut app);
    report
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress_bar(ticks: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {eta} left");
    let bar = ProgressBar::new(ticks.into());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
