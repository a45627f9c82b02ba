//! Weight and priority of a behaviour.

use bevy::{
    prelude::*,
    reflect::{ReflectRef, TypeInfo, TypeRegistry, Typed, std_traits::ReflectDefault},
};
use bevy_egui::egui;
use bevy_steer::{Blend, Priority, RegisteredBehavior};

use crate::{
    editors::number::{FieldName, slider},
    reflection::{describe::describe, kinds::help, parameter::Parameter},
    reset::reset_button,
    style,
};

/// Shows the weight and the priority of a behaviour with this name. Returns them after an edit,
/// with what was edited.
pub(super) fn show(
    ui: &mut egui::Ui,
    registry: &TypeRegistry,
    behavior: &RegisteredBehavior,
    name: &str,
    blend: Blend,
) -> Option<(Blend, &'static str)> {
    let default = default_blend(registry, behavior);
    let mut new = blend;
    let row = ui.scope(|ui| weight(ui, name, &mut new.weight));
    if new.weight != default.weight
        && reset_button(ui, row.response.rect, &format!("{name}.weight"))
    {
        new.weight = default.weight;
    }
    let row = ui.scope(|ui| priority(ui, behavior.priority, name, &mut new.priority));
    if new.priority != default.priority
        && reset_button(ui, row.response.rect, &format!("{name}.priority"))
    {
        new.priority = default.priority;
    }
    let what = if new.weight == blend.weight { "priority" } else { "weight" };
    (new != blend).then_some((new, what))
}

fn weight(ui: &mut egui::Ui, name: &str, weight: &mut f32) {
    let (help, parameter) = weight_parameter();
    let field = FieldName(format!("{name}.weight"));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, field));
    let id = ui.id().with("weight");
    style::row(ui, "weight", help, |ui| slider(ui, weight, parameter, id));
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));
}

fn priority(ui: &mut egui::Ui, own: Priority, name: &str, priority: &mut Option<Priority>) {
    let help = "The tier in arbitration. Higher tiers get their force first.";
    style::row(ui, "priority", Some(help), |ui| {
        let text = |priority: Option<Priority>| match priority {
            Some(priority) => format!("{priority:?}"),
            None => format!("default ({own:?})"),
        };
        let choice = egui::ComboBox::from_id_salt("priority").selected_text(text(*priority));
        let choice = choice.show_ui(ui, |ui| {
            for other in [None].into_iter().chain(Priority::ALL.map(Some)) {
                ui.selectable_value(priority, other, text(other));
            }
        });
        let name = format!("{name}.priority");
        choice
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, &name));
    });
}

/// The help, unit and range of [`Blend::weight`].
fn weight_parameter() -> (Option<&'static str>, Parameter) {
    let TypeInfo::Struct(info) = Blend::type_info() else { return (None, Parameter::default()) };
    let Some(field) = info.field("weight") else { return (None, Parameter::default()) };
    (help(field), describe(field.custom_attributes()).unwrap_or_default())
}

/// The blend that a new behaviour of this kind has.
fn default_blend(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> Blend {
    let default = registry.get_type_data::<ReflectDefault>(behavior.type_id);
    let blend = default.and_then(|default| match default.default().reflect_ref() {
        ReflectRef::Struct(fields) => {
            fields.iter_fields().find_map(|(_, field)| field.try_downcast_ref::<Blend>().copied())
        }
        _ => None,
    });
    blend.unwrap_or_default()
}
