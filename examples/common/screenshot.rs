//! The end of a run in a window, with a screenshot if the command line asks for one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bevy::{
    prelude::*,
    render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk},
};

/// Saves a screenshot of the window and quits once it is written, or with an error if it cannot be.
pub fn save_screenshot_and_quit(path: PathBuf, mut commands: Commands) {
    // One of an earlier run would pass for it. If there is none that is as well.
    _ = fs::remove_file(&path);
    let mut save = save_to_disk(path.clone());
    commands.spawn(Screenshot::primary_window()).observe(
        move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
            // Blocks until the file is written.
            save(captured);
            exit.write(exit_with(&path));
        },
    );
}

/// An error if the file is missing: Bevy only logs why. In a browser it is a download.
fn exit_with(file: &Path) -> AppExit {
    if cfg!(target_family = "wasm") || file.is_file() { AppExit::Success } else { AppExit::error() }
}

/// Quits the app.
pub fn quit(mut exit: MessageWriter<AppExit>) {
    exit.write(AppExit::Success);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screenshot_that_is_not_there_is_an_error() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(exit_with(&folder.join("Cargo.toml")).is_success());
        assert!(exit_with(&folder.join("missing/a.png")).is_error());
    }
}
