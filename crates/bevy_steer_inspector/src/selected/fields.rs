//! The fields of a component, a row for each, drawn from what reflection tells about them.

use core::any::Any;

use bevy::reflect::{
    NamedField, PartialReflect, ReflectMut, ReflectRef, TypeInfo, structs::Struct,
};
use bevy_egui::egui;
use bevy_inspector_egui::{
    inspector_options::{ReflectInspectorOptions, Target as Place},
    reflect_inspector::InspectorUi,
};
use bevy_steer::{Blend, RandomStream};

use crate::{
    change::fields::FieldChange,
    editors::{entity::take_pick_request, number::FieldName},
    reflection::{
        kinds::{help, is_glam, is_state},
        values::{assign, copy_of},
    },
    reset::reset_button,
    style,
};

/// What the user did to the fields of a component.
#[derive(Debug, Default)]
pub(super) struct FieldChanges {
    /// The changed fields, such as `limits.max_rate`. An empty path stands for the whole component.
    pub(super) changed: Vec<FieldChange>,
    /// The reflection path of the field that a click in the world is to set.
    pub(super) pick: Option<String>,
}

/// The parameters of a component: all fields but its runtime state ([`states`]) and its [`Blend`].
/// Those that differ from the default component have a button that resets them.
pub(super) fn parameters(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    value: &mut dyn PartialReflect,
    default: Option<&dyn PartialReflect>,
    id: egui::Id,
) -> FieldChanges {
    let mut changes = FieldChanges::default();
    match value.reflect_mut() {
        ReflectMut::Struct(fields) => {
            rows(ui, env, component, "", fields, default, id, &mut changes);
        }
        _ => {
            let path = String::new();
            changes.edit(ui, env, component, path, value, default, |ui, env, value| {
                let shown = ui.scope(|ui| env.ui_for_reflect_with_options(value, ui, id, &()));
                (shown.inner, shown.response.rect)
            });
        }
    }
    changes
}

impl FieldChanges {
    /// Draws a value and its reset button, and notes a change.
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        env: &mut InspectorUi<'_, '_>,
        component: &str,
        path: String,
        value: &mut dyn PartialReflect,
        default: Option<&dyn PartialReflect>,
        draw: impl FnOnce(
            &mut egui::Ui,
            &mut InspectorUi<'_, '_>,
            &mut dyn PartialReflect,
        ) -> (bool, egui::Rect),
    ) {
        let before = copy_of(env.type_registry, value);
        let differs =
            |default: &&dyn PartialReflect| value.reflect_partial_eq(*default) == Some(false);
        let default = default.filter(differs);
        let (mut changed, rect) = draw(ui, env, value);
        if let Some(default) = default {
            let name =
                if path.is_empty() { component.to_owned() } else { format!("{component}.{path}") };
            if reset_button(ui, rect, &name)
                && let Some(copy) = copy_of(env.type_registry, default)
            {
                changed |= assign(value, copy);
            }
        }
        if changed {
            self.changed.push(FieldChange { path, before });
        }
    }
}

fn rows(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    prefix: &str,
    fields: &mut dyn Struct,
    default: Option<&dyn PartialReflect>,
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
        let default = default.and_then(|default| match default.reflect_ref() {
            ReflectRef::Struct(fields) => fields.field_at(i),
            _ => None,
        });
        let path = format!("{prefix}{}", field.name());
        let id = id.with(i);
        if let ReflectMut::Struct(nested) = value.reflect_mut()
            && !is_glam(field.type_info())
        {
            let prefix = format!("{path}.");
            rows(ui, env, component, &prefix, nested, default, id, changes);
            continue;
        }
        let options = options.and_then(|options| options.0.get(Place::Field(i))).unwrap_or(&());
        row(ui, env, component, path, field, value, default, id, options, changes);
    }
}

fn row(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    component: &str,
    path: String,
    field: &NamedField,
    value: &mut dyn PartialReflect,
    default: Option<&dyn PartialReflect>,
    id: egui::Id,
    options: &dyn Any,
    changes: &mut FieldChanges,
) {
    let name = FieldName(format!("{component}.{path}"));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
    let shown = field.name().replace('_', " ");
    changes.edit(ui, env, component, path.clone(), value, default, |ui, env, value| {
        let row = ui.scope(|ui| {
            style::row(ui, &shown, help(field), |ui| {
                env.ui_for_reflect_with_options(value, ui, id, options)
            })
        });
        (row.inner, row.response.rect)
    });
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));
    if take_pick_request(ui) {
        changes.pick = Some(path);
    }
}

/// The runtime state of a component, read-only. It may be of any size, and change while the game
/// runs: it scrolls in a part of the panel that stays as it is.
pub(super) fn states(
    ui: &mut egui::Ui,
    env: &mut InspectorUi<'_, '_>,
    value: &mut dyn PartialReflect,
    id: egui::Id,
) {
    let ReflectMut::Struct(fields) = value.reflect_mut() else { return };
    let Some(TypeInfo::Struct(info)) = fields.get_represented_type_info() else { return };
    style::steady_area(ui, id, STATE_HEIGHT, |ui| {
        for (i, field) in info.iter().enumerate() {
            let is_shown = is_state(field) && !field.is::<RandomStream>();
            let Some(value) = fields.field_at_mut(i).filter(|_| is_shown) else { continue };
            style::row(ui, &field.name().replace('_', " "), help(field), |ui| {
                ui.vertical(|ui| {
                    env.ui_for_reflect_readonly_with_options(value, ui, id.with(i), &());
                });
            });
        }
    });
}

const STATE_HEIGHT: f32 = 110.0;

/// Whether a component has runtime state to show.
pub(super) fn has_states(info: &TypeInfo) -> bool {
    let TypeInfo::Struct(fields) = info else { return false };
    fields.iter().any(|field| is_state(field) && !field.is::<RandomStream>())
}
