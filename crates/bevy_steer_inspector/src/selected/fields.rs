//! The fields of a component, one row each, drawn from what reflection knows of them.

use core::any::Any;

use bevy::reflect::{NamedField, PartialReflect, ReflectMut, TypeInfo, structs::Struct};
use bevy_egui::egui;
use bevy_inspector_egui::{
    inspector_options::{ReflectInspectorOptions, Target as Place},
    reflect_inspector::InspectorUi,
};
use bevy_steer::{Blend, RandomStream};

use super::is_state;
use crate::{
    editors::{entity::was_asked, number::FieldName},
    style,
};

/// What the user did to the fields of a component.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// The paths of the fields that were changed: `radius`, `limits.max_rate`; empty for the whole component.
    pub(crate) changed: Vec<String>,
    /// The path of the field whose value is to be picked in the world.
    pub(crate) pick: Option<String>,
}

/// The parameters of a component. What it remembers is in [`states`], its [`Blend`] in the head of its card.
pub(crate) fn parameters(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    value: &mut dyn PartialReflect,
    id: egui::Id,
) -> Done {
    let mut done = Done::default();
    match value.reflect_mut() {
        ReflectMut::Struct(fields) => rows(ui, env, component, "", fields, id, &mut done),
        _ => {
            if env.ui_for_reflect_with_options(value, ui, id, &()) {
                done.changed.push(String::new());
            }
        }
    }
    done
}

fn rows(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    prefix: &str,
    fields: &mut dyn Struct,
    id: egui::Id,
    done: &mut Done,
) {
    let Some(TypeInfo::Struct(info)) = fields.get_represented_type_info() else { return };
    let owner = TypeInfo::Struct(info.clone());
    let options = env.type_registry.get_type_data::<ReflectInspectorOptions>(info.type_id());
    for (i, field) in info.iter().enumerate() {
        if field.is::<Blend>() || is_state(&owner, field.name(), field.type_id()) {
            continue;
        }
        let Some(value) = fields.field_at_mut(i) else { continue };
        let path = format!("{prefix}{}", field.name());
        let id = id.with(i);
        if let ReflectMut::Struct(nested) = value.reflect_mut()
            && !is_glam(field.type_info())
        {
            let prefix = format!("{path}.");
            rows(ui, env, component, &prefix, nested, id, done);
            continue;
        }
        let options = options.and_then(|options| options.0.get(Place::Field(i))).unwrap_or(&());
        row(ui, env, component, path, field, value, id, options, done);
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
    done: &mut Done,
) {
    let name = FieldName(format!("{component}.{path}"));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
    let shown = field.name().replace('_', " ");
    let changed = style::row(ui, &shown, field.docs(), |ui| {
        env.ui_for_reflect_with_options(value, ui, id, options)
    });
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));
    if was_asked(ui) {
        done.pick = Some(path.clone());
    }
    if changed {
        done.changed.push(path);
    }
}

/// What a behaviour remembers, to look at.
pub(crate) fn states(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    value: &mut dyn PartialReflect,
    id: egui::Id,
) {
    let ReflectMut::Struct(fields) = value.reflect_mut() else { return };
    let Some(TypeInfo::Struct(info)) = fields.get_represented_type_info() else { return };
    let owner = TypeInfo::Struct(info.clone());
    for (i, field) in info.iter().enumerate() {
        let is_shown =
            is_state(&owner, field.name(), field.type_id()) && !field.is::<RandomStream>();
        let Some(value) = fields.field_at_mut(i).filter(|_| is_shown) else { continue };
        style::row(ui, &field.name().replace('_', " "), field.docs(), |ui| {
            ui.vertical(|ui| {
                env.ui_for_reflect_readonly_with_options(value, ui, id.with(i), &());
            });
        });
    }
}

/// Whether a component has any such memory to look at.
pub(crate) fn has_states(info: &TypeInfo) -> bool {
    let TypeInfo::Struct(fields) = info else { return false };
    fields
        .iter()
        .any(|field| is_state(info, field.name(), field.type_id()) && !field.is::<RandomStream>())
}

/// Whether a type is a vector or the like, which has fields and is one value all the same.
pub(crate) fn is_glam(info: Option<&TypeInfo>) -> bool {
    info.is_some_and(|info| info.type_path_table().crate_name() == Some("glam"))
}
