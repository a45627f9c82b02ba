//! The end of a run in a window, with a screenshot if the command line asks for one.

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
};

/// Saves a screenshot of the window and quits once it is written.
pub fn save_screenshot_and_quit(path: PathBuf, mut commands: Commands) {
    // The first observer blocks until the file is written; the second one quits.
    commands
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(path))
        .observe(|_: On<ScreenshotCaptured>, exit: MessageWriter<AppExit>| quit(exit));
}

/// Quits the app.
pub fn quit(mut exit: MessageWriter<AppExit>) {
    exit.write(AppExit::Success);
}
