//! A component of the selected agent, drawn and changed by reflection.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, TypeRegistry, std_traits::ReflectDefault},
};
use bevy_egui::egui::{self, RichText};
use bevy_inspector_egui::{
    reflect_inspector::{Context, InspectorUi},
    restricted_world_view::{ReflectBorrow, RestrictedWorldView},
};

use super::fields::{self, FieldChanges};
use crate::{
    change::fields::{FieldChange, copy_to_scope},
    state::inspector::{Inspector, PickRequest},
    style,
};

/// Draws the parameters of a component, or of a part of it at a reflection path, and applies what
/// the user changes to the agents in scope.
pub(super) fn show(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    part: &str,
    name: &str,
) {
    let changes = draw(ui, world, registry, agent, component, part, name);
    let in_component = |path: String| match (part, path.as_str()) {
        ("", _) => path,
        (_, "") => part.to_owned(),
        _ => format!("{part}.{path}"),
    };
    for FieldChange { path, before } in changes.changed {
        let of_field = format!("{name}.{path}");
        let name = if path.is_empty() { name } else { &of_field };
        let change = FieldChange { path: in_component(path), before };
        copy_to_scope(world, registry, agent, component, change, name);
    }
    if let Some(path) = changes.pick.map(in_component) {
        let name = name.to_owned();
        world.resource_mut::<Inspector>().pick = Some(PickRequest { component, name, path });
    }
}

fn draw(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    part: &str,
    name: &str,
) -> FieldChanges {
    let id = ui.id().with(component);
    let mut view = RestrictedWorldView::new(world);
    let (mut own, rest) = view.split_off_component((agent, component));
    let Ok(ReflectBorrow::Mutable(mut value)) =
        own.get_entity_component_reflect(agent, component, registry)
    else {
        let text = "Cannot be changed: its type needs #[reflect(Component)].";
        ui.label(RichText::new(text).color(style::FAINT));
        return FieldChanges::default();
    };
    let mut context = Context { world: Some(rest), queue: None };
    let mut env = InspectorUi::new_no_short_circuit(registry, &mut context);
    let Ok(reflected) = value.bypass_change_detection().reflect_path_mut(part) else {
        return FieldChanges::default();
    };
    let default = reflected
        .get_represented_type_info()
        .and_then(|info| Some(registry.get_type_data::<ReflectDefault>(info.type_id())?.default()));
    let default = default.as_ref().map(|default| default.as_partial_reflect());
    let changes = fields::parameters(ui, &mut env, name, reflected, default, id);
    if reflected.get_represented_type_info().is_some_and(fields::has_states) {
        egui::CollapsingHeader::new(RichText::new("state").small().color(style::FAINT))
            .id_salt((id, "state"))
            .show_unindented(ui, |ui| fields::states(ui, &mut env, reflected, id.with("state")));
    }
    if !changes.changed.is_empty() {
        value.set_changed();
    }
    changes
}
