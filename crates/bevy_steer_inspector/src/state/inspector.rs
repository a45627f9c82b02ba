//! [`Inspector`]: what the panel is about.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::{dock::Side, selected::pick::PickRequest};

/// The state of the panel. Games may read and change it.
#[derive(Resource, Clone, Debug)]
pub struct Inspector {
    /// Whether it is shown. While it is not, nothing is recorded and nothing is marked.
    pub is_open: bool,
    /// Where it is docked.
    pub side: Side,
    /// Whether the cameras of the primary window make room for it.
    pub fits_cameras: bool,
    /// The agent that it is about.
    pub selected: Option<Entity>,
    /// Whether the camera goes with that agent.
    pub follows: bool,
    /// Whose parameters a change is for.
    pub scope: Scope,
    /// The parameter for which a click in the world gives the target, if one is being picked.
    pub pick: Option<PickRequest>,
    /// The folder of the presets.
    pub presets: PathBuf,
}

impl Default for Inspector {
    fn default() -> Self {
        Self {
            is_open: true,
            side: Side::default(),
            fits_cameras: true,
            selected: None,
            follows: false,
            scope: Scope::default(),
            pick: None,
            presets: "assets/presets".into(),
        }
    }
}

impl Inspector {
    /// Makes the panel be about this agent, or about none.
    pub fn select(&mut self, agent: Option<Entity>) {
        if self.selected != agent {
            self.selected = agent;
            self.pick = None;
        }
    }
}

/// Whose parameters a change is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The selected agent's.
    #[default]
    One,
    /// Those of all agents that have the same component. Only the parameter that is changed becomes the same.
    All,
}
