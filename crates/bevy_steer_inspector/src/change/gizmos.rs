//! [`GizmoSetting`]: edits of what the gizmos draw.

use bevy::{
    gizmos::config::{GizmoConfig, GizmoConfigStore},
    prelude::*,
    reflect::structs::Struct,
};
use bevy_steer::SteeringGizmos;

use super::history::remember;
use crate::reflection::values::assign;

/// The field with the colours of behaviours.
const BEHAVIORS: &str = "behaviors";

/// A setting of the gizmos as it was before an edit.
#[derive(Debug)]
pub(crate) enum GizmoSetting {
    /// Whether gizmos are drawn.
    Enabled(bool),
    /// A field of the config group, by its name.
    Field { name: String, value: Box<dyn Reflect> },
    /// What the config group has for a behaviour, by its name: a colour, nothing to draw it in, or
    /// no entry.
    Behavior { name: String, color: Option<Option<Color>> },
}

impl GizmoSetting {
    /// What the history calls an edit of it.
    fn name(&self) -> String {
        match self {
            Self::Enabled(_) => "Draw gizmos".to_owned(),
            Self::Field { name, .. } | Self::Behavior { name, .. } => format!("Gizmo {name}"),
        }
    }

    /// Gives the gizmos this setting, and keeps what they had instead. Returns whether they have
    /// such a setting.
    pub(crate) fn swap(&mut self, world: &mut World) -> bool {
        let Some(mut store) = world.get_resource_mut::<GizmoConfigStore>() else { return false };
        let Some((config, gizmos)) = store.get_config_mut::<SteeringGizmos>() else { return false };
        match self {
            Self::Enabled(is_enabled) => core::mem::swap(&mut config.enabled, is_enabled),
            Self::Field { name, value } => {
                let Some(field) = gizmos.field_mut(name) else { return false };
                let Ok(now) = field.reflect_clone() else { return false };
                let before = core::mem::replace(value, now);
                return assign(field, before);
            }
            Self::Behavior { name, color } => {
                let now = gizmos.behaviors.remove(name);
                if let Some(before) = core::mem::replace(color, now) {
                    gizmos.behaviors.insert(name.clone(), before);
                }
            }
        }
        true
    }
}

/// All settings before the user changes them.
#[derive(Debug)]
pub(crate) struct GizmoSettings {
    is_enabled: bool,
    gizmos: SteeringGizmos,
}

impl GizmoSettings {
    pub(crate) fn of(config: &GizmoConfig, gizmos: &SteeringGizmos) -> Self {
        Self { is_enabled: config.enabled, gizmos: gizmos.clone() }
    }

    /// Puts into the history what has been changed since.
    pub(crate) fn remember_changes(
        &self,
        world: &mut World,
        config: &GizmoConfig,
        gizmos: &SteeringGizmos,
    ) {
        for setting in self.changes(config, gizmos) {
            remember(world, &setting.name(), |_| vec![setting]);
        }
    }

    /// The settings that have another value now, as they were before.
    fn changes(&self, config: &GizmoConfig, gizmos: &SteeringGizmos) -> Vec<GizmoSetting> {
        let mut changes = Vec::new();
        if config.enabled != self.is_enabled {
            changes.push(GizmoSetting::Enabled(self.is_enabled));
        }
        for (name, before) in self.gizmos.iter_fields() {
            let is_same = |now| before.reflect_partial_eq(now) == Some(true);
            if name == BEHAVIORS || gizmos.field(name).is_none_or(is_same) {
                continue;
            }
            if let Ok(value) = before.reflect_clone() {
                changes.push(GizmoSetting::Field { name: name.to_owned(), value });
            }
        }
        let (old, new) = (&self.gizmos.behaviors, &gizmos.behaviors);
        let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
        for name in names.filter(|name| old.get(*name) != new.get(*name)) {
            let color = old.get(name).copied();
            changes.push(GizmoSetting::Behavior { name: name.clone(), color });
        }
        changes
    }
}
