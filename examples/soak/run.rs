//! The run, its table, and whether it held.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use bevy::prelude::*;
use bevy_steer::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};

use super::{churn::ChurnPlugin, options::Options};
use crate::clock;

/// Memory may be this much more at the end than after a quarter of the run: buffers that grow by doubling.
const MORE_MEMORY: f64 = 1.05;
/// Ticks may take this much longer at the end than in the first quarter: the machine has other things to do.
const MORE_TIME: f64 = 1.5;

/// One part of the run.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Simulated hours from the beginning of the run to its end.
    pub hours: f64,
    /// How many agents there are at its end.
    pub agents: usize,
    /// How many entities of any kind.
    pub entities: u32,
    /// The bytes in use at its end.
    pub memory: u64,
    /// The time that half of its ticks took no longer than.
    pub tick: Duration,
}

/// Runs and prints a row at a time. `memory` tells the bytes in use.
///
/// # Errors
/// If memory grew, or ticks became slower.
pub fn soak(options: &Options, memory: impl Fn() -> u64) -> Result<(), String> {
    // Whoever closes the pipe has seen enough.
    let say = |line: String| drop(writeln!(io::stdout(), "{line}"));
    say(format!(
        "{:>7} {:>8} {:>9} {:>10} {:>9}",
        "hours", "agents", "entities", "memory MB", "µs a tick"
    ));
    let rows = run(options, memory, |Row { hours, agents, entities, memory, tick }| {
        let (megabytes, micros) = (*memory as f64 * 1e-6, tick.as_secs_f64() * 1e6);
        say(format!("{hours:7.2} {agents:8} {entities:9} {megabytes:10.2} {micros:9.1}"));
    });
    assess(&rows)?;
    say("memory stays, and ticks take no longer".into());
    Ok(())
}

/// Runs; tells of each row when it is done.
pub fn run(options: &Options, memory: impl Fn() -> u64, mut tell: impl FnMut(&Row)) -> Vec<Row> {
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
        bar.suspend(|| tell(&row));
        rows.push(row);
    }
    bar.finish_and_clear();
    rows
}

/// Whether the last row needs no more than those of the first quarter did.
///
/// # Errors
/// If it does: says what, and how much.
pub fn assess(rows: &[Row]) -> Result<(), String> {
    let Some(last) = rows.last() else { return Ok(()) };
    let early = &rows[..rows.len().div_ceil(4)];
    let most = early.iter().map(|row| row.memory).max().unwrap_or_default();
    if last.memory as f64 > most as f64 * MORE_MEMORY {
        return Err(format!("memory grew from {most} to {} bytes", last.memory));
    }
    let longest = early.iter().map(|row| row.tick).max().unwrap_or_default();
    // The quickest of the last quarter: one slow hour is the machine's.
    let late = &rows[rows.len() - early.len()..];
    let quickest = late.iter().map(|row| row.tick).min().unwrap_or_default();
    if quickest.as_secs_f64() > longest.as_secs_f64() * MORE_TIME {
        return Err(format!("a tick took {longest:?}, and takes {quickest:?} now"));
    }
    Ok(())
}

/// Hidden where standard error is not a terminal.
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
    fn growing_memory_and_slower_ticks_are_complained_of() {
        assert!(assess(&rows([(1000, 50), (1010, 60), (1020, 50), (1030, 55)])).is_ok());
        let leak = assess(&rows([(1000, 50), (1100, 50), (1200, 50), (1300, 50)]));
        assert_eq!(leak.unwrap_err(), "memory grew from 1000 to 1300 bytes");
        let creep = assess(&rows([(1000, 50), (1000, 60), (1000, 70), (1000, 80)]));
        assert!(creep.unwrap_err().contains("takes 80µs now"));
    }
}
