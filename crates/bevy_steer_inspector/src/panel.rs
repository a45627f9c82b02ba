//! [`inspector_ui`]: the panel from top to bottom.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::{agents, editors::Editors, inspector::Inspector, sections, selected, selection, style};

/// Shows the panel. All that it needs of the world comes with [`InspectorCorePlugin`](crate::InspectorCorePlugin).
pub fn inspector_ui(ui: &mut egui::Ui, world: &mut World) {
    if !world.contains_resource::<Inspector>() {
        ui.label("The app has no InspectorCorePlugin.");
        return;
    }
    Editors::refresh(world);
    // Another system may have despawned what was selected since.
    selection::keep_marks(world);
    style::apply(ui);
    sections::title::show(ui, world);
    sections::time::show(ui, world);
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::section(ui, "Agents", true, |ui| agents::section::show(ui, world));
        if let Some(agent) = world.resource::<Inspector>().selected {
            ui.push_id(agent, |ui| selected::show(ui, world, agent));
        }
        style::section(ui, "Gizmos", false, |ui| sections::gizmos::show(ui, world));
        style::section(ui, "Diagnostics", false, |ui| sections::diagnostics::show(ui, world));
    });
    selection::keep_marks(world);
}
