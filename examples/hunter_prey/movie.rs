//! The moving picture of the README: a pointer leads a school round the stones while hunters hunt
//! it, and each frame becomes a file. Time goes on by the frame, so that a slow machine makes the
//! same movie as a fast one.

use std::{path::PathBuf, time::Duration};

use bevy::{
    math::ops,
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    time::TimeUpdateStrategy,
};
use bevy_steer::prelude::*;

use super::{
    game::{ARENA, Hunter, LURE},
    mouse::{MouseSystems, Pointer},
    rules::chases,
};

/// The size of a frame, in pixels.
pub(super) const SIZE: UVec2 = UVec2::new(960, 540);
/// Frames a second.
const RATE: f32 = 30.0;
/// Seconds before the movie begins, in which the school gathers.
const BEFORE: f32 = 3.0;
/// Seconds of the movie.
const LENGTH: f32 = 9.0;
/// The least share of frames in which a hunter chases.
const LEAST_CHASING: f32 = 0.9;

/// Records the movie and quits: with an error if too few frames have a hunter that chases.
pub(super) struct MoviePlugin {
    /// The folder for the frames.
    pub(super) folder: PathBuf,
}

#[derive(Resource, Clone, Debug)]
struct Recording {
    folder: PathBuf,
    /// Frames since the game has begun, those before the movie among them.
    frame: u32,
    taken: u32,
    saved: u32,
    with_chasers: u32,
}

impl Plugin for MoviePlugin {
    fn build(&self, app: &mut App) {
        let frame = Duration::from_secs_f32(RATE.recip());
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame))
            .insert_resource(Recording {
                folder: self.folder.clone(),
                frame: 0,
                taken: 0,
                saved: 0,
                with_chasers: 0,
            })
            .add_systems(PreUpdate, lead.after(MouseSystems))
            .add_systems(Update, record);
    }
}

/// Moves the pointer along a wave from left to right.
fn lead(
    recording: Res<Recording>,
    mut pointer: Single<(&mut Transform, &mut SteeringLayers), With<Pointer>>,
) {
    let seconds = recording.frame as f32 / RATE - BEFORE;
    let share = seconds.max(0.0) / LENGTH;
    let wave = ops::sin(core::f32::consts::TAU * share);
    let place = ARENA * Vec2::new(0.9 * share - 0.45, 0.35 * wave);
    let (transform, layers) = &mut *pointer;
    transform.translation = place.extend(0.0);
    **layers = LURE;
}

fn record(
    mut recording: ResMut<Recording>,
    hunters: Query<&Pursue, With<Hunter>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    recording.frame += 1;
    let frames = (LENGTH * RATE) as u32;
    if recording.saved == frames {
        exit.write(judge(recording.with_chasers, frames));
    } else if recording.taken < frames && recording.frame as f32 > BEFORE * RATE {
        let path = recording.folder.join(format!("frame-{:04}.png", recording.taken));
        recording.taken += 1;
        recording.with_chasers += u32::from(hunters.iter().any(chases));
        // The first observer blocks until the file is written; the second one counts it.
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(path))
            .observe(|_: On<ScreenshotCaptured>, mut to: ResMut<Recording>| to.saved += 1);
    }
}

fn judge(with_chasers: u32, frames: u32) -> AppExit {
    println!("{with_chasers} of {frames} frames have a hunter that chases");
    if with_chasers as f32 >= LEAST_CHASING * frames as f32 {
        AppExit::Success
    } else {
        AppExit::error()
    }
}
