//! Records the movie: each frame becomes a file.

use std::{path::PathBuf, time::Duration};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
    time::TimeUpdateStrategy,
};
use bevy_steer::prelude::*;

use super::{mouse, start};
use crate::hunter_prey::{game::Hunter, mouse::MouseSystems, rules::chases};

/// The size of a frame, in pixels.
pub(in crate::hunter_prey) const SIZE: UVec2 = UVec2::new(960, 540);
/// Frames a second.
const RATE: f32 = 30.0;
/// Seconds before the movie begins, in which the school gathers.
pub(super) const BEFORE: f32 = 1.5;
/// Seconds of the movie.
pub(super) const LENGTH: f32 = 10.0;
/// The least share of frames in which a hunter chases.
const LEAST_CHASING: f32 = 0.9;

/// Records the movie and quits: with an error if too few frames have a hunter that chases.
pub(in crate::hunter_prey) struct MoviePlugin {
    /// The folder for the frames.
    pub(in crate::hunter_prey) folder: PathBuf,
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
            .add_systems(Startup, (start::populate, mouse::spawn_arrow))
            .add_systems(PreUpdate, mouse::lead.after(MouseSystems))
            .add_systems(Update, record);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movie_with_too_few_chases_is_an_error() {
        assert_eq!(judge(270, 300), AppExit::Success);
        assert!(judge(269, 300).is_error() && judge(0, 300).is_error());
    }
}
