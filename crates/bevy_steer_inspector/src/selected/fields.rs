//! The fields of a component, a row for each, drawn from what reflection tells about them.

use core::any::Any;

use bevy::reflect::{NamedField, PartialReflect, ReflectMut, TypeInfo, structs::Struct};
use bevy_egui::egui;
use bevy_inspector_egui::{
    inspector_options::{ReflectInspectorOptions, Target as Place},
    reflect_inspector::InspectorUi,
};
use bevy_steer::{Blend, RandomStream};

use crate::{
    editors::{entity::take_pick_request, number::FieldName},
    reflection::kinds::{help, is_glam, is_state},
    style,
};

/// What the user did to the fields of a component.
#[derive(Debug, Default)]
pub(super) struct FieldChanges {
    /// The reflection paths of the changed fields, such as `limits.max_rate`. An empty path stands
    /// for the whole component.
    pub(super) changed: Vec<String>,
    /// The reflection path of the field that a click in the world is to set.
    pub(super) pick: Option<String>,
}

/// The parameters of a component: all fields but its runtime state ([`states`]) and its [`Blend`].
pub(super) fn parameters(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    value: &mut dyn PartialReflect,
    id: egui::Id,
) -> FieldChanges {
    let mut changes = FieldChanges::default();
    match value.reflect_mut() {
        ReflectMut::Struct(fields) => rows(ui, env, component, "", fields, id, &mut changes),
        _ => {
            if env.ui_for_reflect_with_options(value, ui, id, &()) {
                changes.changed.push(String::new());
            }
        }
    }
    changes
}

fn rows(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    prefix: &str,
    fields: &mut dyn Struct,
    id: egui::Id,
    changes: &mut FieldChanges,
) {
    let Some(TypeInfo::Struct(info)) = fields.get_represented_type_info() else { return };
    let options = env.type_registry.get_type_data::<ReflectInspectorOptions>(info.type_id());
    for (i, field) in info.iter().enumerate() {
        if field.is::<Blend>() || is_state(field) {
            continue;
        }
        let Some(value) = fields.field_at_mut(i) else { continue };
        let path = format!("{prefix}{}", field.name());
        let id = id.with(i);
        if let ReflectMut::Struct(nested) = value.reflect_mut()
            && !is_glam(field.type_info())
        {
            let prefix = format!("{path}.");
            rows(ui, env, component, &prefix, nested, id, changes);
            continue;
        }
        let options = options.and_then(|options| options.0.get(Place::Field(i))).unwrap_or(&());
        row(ui, env, component, path, field, value, id, options, changes);
    }
}

fn row(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    path: String,
    field: &NamedField,
    value: &mut dyn PartialReflect,
    id: egui::Id,
    options: &dyn Any,
    changes: &mut FieldChanges,
) {
    let name = FieldName(format!("{component}.{path}"));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
    let shown = field.name().replace('_', " ");
    let changed = style::row(ui, &shown, help(field), |ui| {
        env.ui_for_reflect_with_options(value, ui, id, options)
    });
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));
    if take_pick_request(ui) {
        changes.pick = Some(path.clone());
    }
    if changed {
        changes.changed.push(path);
    }
}

/// The runtime state of a component, read-only.
pub(super) fn states(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    value: &mut dyn PartialReflect,
    id: egui::Id,
) {
    let ReflectMut::Struct(fields) = value.reflect_mut() else { return };
    let Some(TypeInfo::Struct(info)) = fields.get_represented_type_info() else { return };
    for (i, field) in info.iter().enumerate() {
        let is_shown = is_state(field) && !field.is::<RandomStream>();
        let Some(value) = fields.field_at_mut(i).filter(|_| is_shown) else { continue };
        style::row(ui, &field.name().replace('_', " "), help(field), |ui| {
            ui.vertical(|ui| {
                env.ui_for_reflect_readonly_with_options(value, ui, id.with(i), &());
            });
        });
    }
}

/// Whether a component has runtime state to show.
pub(super) fn has_states(info: &TypeInfo) -> bool {
    let TypeInfo::Struct(fields) = info else { return false };
    fields.iter().any(|field| is_state(field) && !field.is::<RandomStream>())
}
