//! The game without a window, at full speed.

use std::{
    fs,
    io::{self, Write},
};

use bevy::{platform::time::Instant, prelude::*};
use bevy_steer::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    game::{ARENA, GamePlugin},
    options::Options,
    report::Report,
    watch::{Watch, watch},
};
use crate::{clock, palette, trails::Picture};

/// Runs the game, prints the table, and writes the report and the picture if they were asked for.
///
/// # Errors
/// If a file cannot be written.
pub fn run(options: &Options) -> Result<(), String> {
    let (report, picture) = simulate(options, true);
    // A closed pipe, as with `head`, is not an error.
    let _ = io::stdout().write_all(report.table().as_bytes());
    if let Some(path) = &options.report {
        let json = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        fs::write(path, json + "\n")
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    match (&options.picture, picture) {
        (Some(path), Some(picture)) => picture.save(path),
        _ => Ok(()),
    }
}

/// Runs the game. Returns the report, and the picture if the options ask for one.
pub fn simulate(options: &Options, show_progress: bool) -> (Report, Option<Picture>) {
    let mut app = clock::headless_app(options.threads.map(usize::from));
    app.add_plugins(GamePlugin::new(options.clone()))
        .init_resource::<Watch>()
        .add_systems(FixedUpdate, watch.after(RunSteering));
    clock::start(&mut app);
    let tick = app.world().resource::<Time<Fixed>>().timestep().as_secs_f32();
    let ticks = (options.headless_seconds() / tick).round().max(1.0) as u64;
    let bar = if show_progress { progress_bar(ticks) } else { ProgressBar::hidden() };
    let begin = Instant::now();
    while app.world().resource::<Watch>().ticks < ticks {
        app.update();
        let done = app.world().resource::<Watch>().ticks;
        if done.is_multiple_of(64) {
            bar.set_position(done);
        }
    }
    let wall_seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let picture = options.picture.as_ref().and_then(|_| draw(app.world_mut()));
    (Report::of(app.world_mut(), wall_seconds), picture)
}

/// A progress bar on standard error; hidden if that is not a terminal.
fn progress_bar(ticks: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {eta} left");
    ProgressBar::new(ticks).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn draw(world: &mut World) -> Option<Picture> {
    let mut picture = Picture::new(-ARENA, ARENA, 1.0)?;
    let mut obstacles = world.query_filtered::<(&Transform, &Vehicle), With<Obstacle>>();
    for (transform, vehicle) in obstacles.iter(world) {
        let center = transform.translation.truncate();
        picture.disc(center, vehicle.radius, palette::STONE, palette::STONE_RIM);
    }
    for trail in world.resource::<Watch>().trails() {
        picture.trail(trail);
    }
    Some(picture)
}
