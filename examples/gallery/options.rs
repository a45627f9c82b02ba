//! The command line.

use std::path::PathBuf;

use clap::Parser;

use super::{scene::Scene, scenes};
use crate::arguments::seconds;

/// A gallery of steering behaviours, with a scene for each
#[derive(Parser, Clone, Debug)]
#[command(name = "gallery", version)]
pub struct Options {
    /// Start with this scene
    #[arg(long, value_name = "NAME", value_parser = scene_by_name, default_value = "seek")]
    pub scene: &'static Scene,
    /// List the scenes with a description of each and quit
    #[arg(long)]
    pub list: bool,
    /// Save a screenshot of the window after --seconds (5 if not given) and quit
    #[arg(long, value_name = "FILE.png")]
    pub screenshot: Option<PathBuf>,
    /// Quit after this many simulated seconds of the scene
    #[arg(long, value_parser = seconds)]
    pub seconds: Option<f32>,
    /// Start with the inspector open and an agent selected
    #[arg(long)]
    pub inspector: bool,
    /// Start with the steering gizmos on (the default)
    #[arg(long, overrides_with = "no_gizmos")]
    pub gizmos: bool,
    /// Start with the steering gizmos off
    #[arg(long, overrides_with = "gizmos")]
    pub no_gizmos: bool,
}

fn scene_by_name(name: &str) -> Result<&'static Scene, String> {
    scenes::find(name).ok_or_else(|| "there is no such scene; --list shows all".to_owned())
}
