//! A picture of the window for who asked for one on the command line, and the end of the run.

use std::path::PathBuf;

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
};

/// Saves what the window shows, and ends the run as soon as it is saved.
pub fn save_picture_and_quit(path: PathBuf, mut commands: Commands) {
    // The saving observer blocks, and both run before the app looks whether it should exit.
    commands
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(path))
        .observe(|_: On<ScreenshotCaptured>, exit: MessageWriter<AppExit>| quit(exit));
}

/// Ends the run.
pub fn quit(mut exit: MessageWriter<AppExit>) {
    exit.write(AppExit::Success);
}
