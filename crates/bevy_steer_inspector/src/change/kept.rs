//! [`Kept`]: what the history keeps of the time before an edit.

use bevy::{prelude::*, reflect::TypeRegistry};

use super::{gizmos::GizmoSetting, memento::Memento};

/// What was edited, as it was before.
#[derive(Debug)]
pub(crate) enum Kept {
    /// A part of an agent.
    Part(Memento),
    /// A setting of the gizmos.
    Gizmos(GizmoSetting),
}

impl Kept {
    /// The part of an agent, if it is one.
    pub(crate) fn part(&self) -> Option<&Memento> {
        match self {
            Self::Part(memento) => Some(memento),
            Self::Gizmos(_) => None,
        }
    }

    /// Gives back what it was, and keeps what it is now instead. Returns whether there was
    /// something to change.
    pub(crate) fn swap(&mut self, world: &mut World, registry: &TypeRegistry) -> bool {
        match self {
            Self::Part(memento) => memento.swap(world, registry),
            Self::Gizmos(setting) => setting.swap(world),
        }
    }
}

impl From<Memento> for Kept {
    fn from(memento: Memento) -> Self {
        Self::Part(memento)
    }
}

impl From<GizmoSetting> for Kept {
    fn from(setting: GizmoSetting) -> Self {
        Self::Gizmos(setting)
    }
}
