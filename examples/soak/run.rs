//! The run, its table, and the check for leaks and slowdowns.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use bevy::prelude::*;
use bevy_steer::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};

use super::{churn::ChurnPlugin, options::Options};
use crate::clock;

/// Permitted growth of memory from the first quarter of the run to its end, as a factor: buffers
/// may still double once.
const MEMORY_GROWTH: f64 = 1.05;
/// Permitted growth of a tick's time from the first quarter of the run to the last, as a factor:
/// other processes may take time.
const TIME_GROWTH: f64 = 1.5;

/// The state at the end of one part of the run.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Simulated hours since the beginning of the run.
    pub hours: f64,
    /// Number of agents.
    pub agents: usize,
    /// Number of entities of any kind.
    pub entities: u32,
    /// Memory in use, in bytes.
    pub memory: u64,
    /// Median time of a tick in this part.
    pub tick: Duration,
}

/// Runs, prints a table row by row, and checks it. `memory` returns the bytes in use.
///
/// # Errors
/// If memory grew, or ticks became slower.
pub fn soak(options: &Options, memory: impl Fn() -> u64) -> Result<(), String> {
    // A closed pipe, as with `head`, is not an error.
    let print = |line: String| drop(writeln!(io::stdout(), "{line}"));
    print(format!(
        "{:>7} {:>8} {:>9} {:>10} {:>9}",
        "hours", "agents", "entities", "memory MB", "µs/tick"
    ));
    let rows = run(options, memory, |Row { hours, agents, entities, memory, tick }| {
        let (megabytes, micros) = (*memory as f64 * 1e-6, tick.as_secs_f64() * 1e6);
        print(format!("{hours:7.2} {agents:8} {entities:9} {megabytes:10.2} {micros:9.1}"));
    });
    check(&rows)?;
    print("Passed: memory has not grown and ticks have not become slower.".into());
    Ok(())
}

/// Runs and calls `report` with each row when it is complete.
pub fn run(options: &Options, memory: impl Fn() -> u64, mut report: impl FnMut(&Row)) -> Vec<Row> {
    let mut app = clock::headless_app(Some(1));
    app.add_plugins(ChurnPlugin { options: options.clone() });
    clock::start(&mut app);
    let ticks_per_hour = 3600.0 / app.world().resource::<Time<Fixed>>().timestep().as_secs_f64();
    let ticks = (ticks_per_hour / options.rows_per_hour).ceil().max(1.0) as usize;
    let count = (options.hours * options.rows_per_hour).ceil() as usize;
    let bar = progress_bar((count * ticks) as u64);
    let mut rows = Vec::with_capacity(count);
    let mut times = Vec::with_capacity(ticks);
    for row in 1..=count {
        times.clear();
        for _ in 0..ticks {
            let begin = Instant::now();
            app.update();
            times.push(begin.elapsed());
            bar.inc(1);
        }
        let (_, median, _) = times.select_nth_unstable(ticks / 2);
        let world = app.world_mut();
        let row = Row {
            hours: (row * ticks) as f64 / ticks_per_hour,
            agents: world.query_filtered::<(), With<Vehicle>>().iter(world).count(),
            entities: world.entities().count_spawned(),
            memory: memory(),
            tick: *median,
        };
        bar.suspend(|| report(&row));
        rows.push(row);
    }
    bar.finish_and_clear();
    rows
}

/// Compares the end of the run with its first quarter.
///
/// # Errors
/// If memory grew or ticks became slower.
pub fn check(rows: &[Row]) -> Result<(), String> {
    let Some(last) = rows.last() else { return Ok(()) };
    let early = &rows[..rows.len().div_ceil(4)];
    let most = early.iter().map(|row| row.memory).max().unwrap_or_default();
    if last.memory as f64 > most as f64 * MEMORY_GROWTH {
        return Err(format!("memory grew from {most} to {} bytes", last.memory));
    }
    let longest = early.iter().map(|row| row.tick).max().unwrap_or_default();
    // The fastest row of the last quarter: a single slow row may be due to other processes.
    let late = &rows[rows.len() - early.len()..];
    let quickest = late.iter().map(|row| row.tick).min().unwrap_or_default();
    if quickest.as_secs_f64() > longest.as_secs_f64() * TIME_GROWTH {
        return Err(format!("the time of a tick grew from {longest:?} to {quickest:?}"));
    }
    Ok(())
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress_bar(ticks: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {percent} %, {eta} left");
    let bar = ProgressBar::new(ticks);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(figures: [(u64, u64); 4]) -> Vec<Row> {
        let row = |(memory, micros)| Row {
            hours: 1.0,
            agents: 1,
            entities: 1,
            memory,
            tick: Duration::from_micros(micros),
        };
        figures.map(row).to_vec()
    }

    #[test]
    fn check_finds_growing_memory_and_slower_ticks() {
        assert!(check(&rows([(1000, 50), (1010, 60), (1020, 50), (1030, 55)])).is_ok());
        let leak = check(&rows([(1000, 50), (1100, 50), (1200, 50), (1300, 50)]));
        assert_eq!(leak.unwrap_err(), "memory grew from 1000 to 1300 bytes");
        let slower = check(&rows([(1000, 50), (1000, 60), (1000, 70), (1000, 80)]));
        assert_eq!(slower.unwrap_err(), "the time of a tick grew from 50µs to 80µs");
    }
}
