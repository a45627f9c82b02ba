//! Entities: shown by name, chosen by a click in the world.

use core::any::{Any, TypeId};

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::AgentId;

use super::Editor;

/// Says that the button was pressed that asks for a click in the world. Kept in egui's memory for who shows the field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PickAsked;

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

/// What an entity is called; that it is no more, if it is no more.
pub(super) fn name(env: &mut InspectorUi<'_, '_>, entity: Entity) -> String {
    let registry = env.type_registry;
    let Some(world) = env.context.world.as_mut() else { return entity.to_string() };
    if !world.contains_entity(entity) {
        return format!("{entity} is gone");
    }
    let name = world
        .get_entity_component_reflect(entity, TypeId::of::<Name>(), registry)
        .ok()
        .and_then(|name| name.downcast_ref::<Name>().map(ToString::to_string));
    let number = world
        .get_entity_component_reflect(entity, TypeId::of::<AgentId>(), registry)
        .ok()
        .and_then(|number| number.downcast_ref::<AgentId>().map(|number| number.0));
    match (name, number) {
        (Some(name), Some(number)) => format!("{name}  #{number}"),
        (Some(name), None) => name,
        (None, Some(number)) => format!("Agent #{number}"),
        (None, None) => format!("Entity {entity}"),
    }
}

pub(super) fn pick_button(ui: &mut egui::Ui) {
    if ui.small_button("🎯 pick").on_hover_text("Then click something in the world").clicked() {
        ask(ui);
    }
}

pub(super) fn ask(ui: &egui::Ui) {
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, PickAsked));
}

/// Whether a click has been asked for since the last call.
pub(crate) fn was_asked(ui: &egui::Ui) -> bool {
    ui.data_mut(|data| data.remove_temp::<PickAsked>(egui::Id::NULL)).is_some()
}
