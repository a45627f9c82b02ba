//! The command line.

use std::path::PathBuf;

use clap::Parser;

use super::{scene::Scene, scenes};

/// A gallery of steering behaviours, one scene for each.
#[derive(Parser, Clone, Debug)]
#[command(name = "gallery", version)]
pub struct Options {
    /// Begin with this scene
    #[arg(long, value_name = "NAME", value_parser = scene_by_name, default_value = "seek")]
    pub scene: &'static Scene,
    /// Name the scenes, with what to look at, and quit
    #[arg(long)]
    pub list: bool,
    /// Save what the window shows when the scene's seconds (or 5) are over, and quit
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Seconds of the scene's time after which to quit
    #[arg(long, value_parser = positive_seconds)]
    pub seconds: Option<f32>,
    /// Begin with the inspector open, and somebody selected
    #[arg(long)]
    pub inspector: bool,
    /// Begin with the gizmos on (the default)
    #[arg(long, overrides_with = "no_gizmos")]
    pub gizmos: bool,
    /// Begin with the gizmos off
    #[arg(long, overrides_with = "gizmos")]
    pub no_gizmos: bool,
}

fn scene_by_name(name: &str) -> Result<&'static Scene, String> {
    scenes::find(name).ok_or_else(|| "no such scene; --list names them".to_owned())
}

fn positive_seconds(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("a number of seconds above 0, up to 1000000".to_owned()),
    }
}
