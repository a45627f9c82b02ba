//! Editor of entities: shows the name; a click in the world chooses another one.

use core::any::{Any, TypeId};

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::AgentId;

use super::editor::Editor;

/// The pick button was pressed. Kept in egui's memory for the code that shows the field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PickRequested;

impl Editor for Entity {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        _: &dyn Any,
        _: egui::Id,
        mut env: InspectorUi<'_, '_>,
    ) -> bool {
        ui.horizontal(|ui| {
            pick_button(ui);
            ui.add(egui::Label::new(name(&mut env, *self)).truncate());
        });
        false
    }
}

/// The name of an entity, or a note that it is despawned.
pub(super) fn name(env: &mut InspectorUi<'_, '_>, entity: Entity) -> String {
    let registry = env.type_registry;
    let Some(world) = env.context.world.as_mut() else { return entity.to_string() };
    if !world.contains_entity(entity) {
        return format!("{entity}, despawned");
    }
    let name = world
        .get_entity_component_reflect(entity, TypeId::of::<Name>(), registry)
        .ok()
        .and_then(|name| name.downcast_ref::<Name>().map(ToString::to_string));
    let id = world
        .get_entity_component_reflect(entity, TypeId::of::<AgentId>(), registry)
        .ok()
        .and_then(|id| id.downcast_ref::<AgentId>().map(|id| id.0));
    match (name, id) {
        (Some(name), Some(id)) => format!("{name}  #{id}"),
        (Some(name), None) => name,
        (None, Some(id)) => format!("Agent #{id}"),
        (None, None) => format!("Entity {entity}"),
    }
}

/// The button that requests a pick.
pub(super) fn pick_button(ui: &mut egui::Ui) {
    if ui.small_button("🎯 pick").on_hover_text("Click an entity in the world").clicked() {
        request_pick(ui);
    }
}

/// Requests a pick for the field that is being drawn.
pub(super) fn request_pick(ui: &egui::Ui) {
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, PickRequested));
}

/// Whether a pick has been requested since the last call.
pub(crate) fn take_pick_request(ui: &egui::Ui) -> bool {
    ui.data_mut(|data| data.remove_temp::<PickRequested>(egui::Id::NULL)).is_some()
}
