//! [`Inspector`]: the state of the panel.

use core::any::TypeId;
use std::path::PathBuf;

use bevy::prelude::*;

/// The state of the panel. Games may read and change it.
#[derive(Resource, Clone, Debug)]
pub struct Inspector {
    /// Whether the panel is shown. While time runs, a closed panel neither records nor marks
    /// agents. Default: true.
    pub is_open: bool,
    /// The side of the window that the panel is docked to. Default: right.
    pub side: Side,
    /// Whether the cameras of the primary window make room for the panel. Default: true.
    pub fits_cameras: bool,
    /// The agent that the panel shows.
    pub selected: Option<Entity>,
    /// Further selected agents, to which edits apply as well: those that were clicked with Ctrl (on
    /// a Mac Cmd) or Shift, in the list or in the world. Default: none.
    pub others: Vec<Entity>,
    /// Whether the camera follows the selected agent. Default: false.
    pub follows: bool,
    /// The agents that a change applies to. Default: the selected ones.
    pub scope: Scope,
    /// The parameter that the next click in the world sets, while one is being picked.
    pub pick: Option<PickRequest>,
    /// The folder of the presets. Default: `assets/presets`.
    pub presets: PathBuf,
}

impl Default for Inspector {
    fn default() -> Self {
        Self {
            is_open: true,
            side: Side::default(),
            fits_cameras: true,
            selected: None,
            others: Vec::new(),
            follows: false,
            scope: Scope::default(),
            pick: None,
            presets: "assets/presets".into(),
        }
    }
}

impl Inspector {
    /// Selects an agent and no other, or none. Cancels a pick in progress.
    pub fn select(&mut self, agent: Option<Entity>) {
        self.others.clear();
        self.show(agent);
    }

    /// Adds an agent to those that are selected, or removes it. The panel shows the agent that was
    /// added last.
    pub fn toggle(&mut self, agent: Entity) {
        if self.selected == Some(agent) {
            let next = self.others.pop();
            self.show(next);
        } else if let Some(index) = self.others.iter().position(|&other| other == agent) {
            self.others.remove(index);
        } else {
            self.others.extend(self.selected);
            self.show(Some(agent));
        }
    }

    /// Whether an agent is one of those that are selected.
    pub fn is_selected(&self, agent: Entity) -> bool {
        self.selected == Some(agent) || self.others.contains(&agent)
    }

    /// All selected agents: the one that the panel shows, and the others.
    pub fn selection(&self) -> impl Iterator<Item = Entity> {
        self.selected.into_iter().chain(self.others.iter().copied())
    }

    fn show(&mut self, agent: Option<Entity>) {
        if self.selected != agent {
            self.selected = agent;
            self.pick = None;
        }
    }
}

/// A side of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    #[default]
    Right,
}

/// The agents that a change applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The selected agent, or all that are selected.
    #[default]
    One,
    /// All agents. A changed parameter is copied to those with the same component, and nothing but
    /// it. Behaviours are added to all agents and removed from all, and presets are loaded for all;
    /// agents that are [`Obstacle`](bevy_steer::Obstacle)s get none unless they are selected.
    All,
}

/// A parameter that waits for a click in the world, which sets its value.
#[derive(Clone, Debug, PartialEq)]
pub struct PickRequest {
    /// The type of the component.
    pub component: TypeId,
    /// The name of the component, or of one of several: `Seek`, `Evade 2`.
    pub name: String,
    /// The reflection path of the field in the component.
    pub path: String,
}
