//! [`inspector_ui`]: the panel from top to bottom.

use bevy::prelude::*;
use bevy_egui::egui;

use crate::{
    agents,
    editors::registry::Editors,
    sections, selected,
    state::{inspector::Inspector, selection::update_marks},
    style,
};

/// Shows the panel in any part of an egui user interface.
///
/// The app needs [`InspectorCorePlugin`](crate::InspectorCorePlugin).
pub fn inspector_ui(ui: &mut egui::Ui, world: &mut World) {
    if !world.contains_resource::<Inspector>() {
        ui.label("The app has no InspectorCorePlugin: add it to show the panel.");
        return;
    }
    Editors::refresh(world);
    // Another system may have despawned the selected agent in this frame.
    update_marks(world);
    style::apply(ui);
    sections::title::show(ui, world);
    sections::time::show(ui, world);
    sections::edits::show(ui, world);
    sections::leave::show(ui, world);
    sections::pick::show(ui, world);
    egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        style::section(ui, "Agents", true, |ui| agents::section::show(ui, world));
        if let Some(agent) = world.resource::<Inspector>().selected {
            ui.push_id(agent, |ui| selected::section::show(ui, world, agent));
        }
        style::section(ui, "Gizmos", false, |ui| sections::gizmos::show(ui, world));
        style::section(ui, "Diagnostics", false, |ui| sections::diagnostics::show(ui, world));
    });
    update_marks(world);
}
