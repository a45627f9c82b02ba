//! The gizmos section: switches and colours of what is drawn over the scene.

use core::any::Any;

use bevy::{
    gizmos::config::{GizmoConfig, GizmoConfigStore},
    prelude::*,
    reflect::{PartialReflect, TypeInfo, TypeRegistry, Typed, structs::Struct},
};
use bevy_egui::egui::{self, Color32, RichText};
use bevy_inspector_egui::{
    inspector_options::{ReflectInspectorOptions, Target as Place},
    reflect_inspector::{Context, InspectorUi},
};
use bevy_steer::{BehaviorRegistry, Paint, Shown, SteeringGizmos};

use crate::{
    accessible::name_switch,
    change::gizmos::GizmoSettings,
    editors::{number::FieldName, registry::Editors},
    reflection::kinds::help,
    reset::{reset_button, with_margin},
    style,
};

/// The colour that "Use one colour" starts with.
const ONE_COLOR: Color = Color::srgb(0.58, 0.63, 0.70);

/// Draws the selected agent only, in apps that have not added the gizmos themselves.
pub(crate) fn draw_marked_only(mut store: ResMut<GizmoConfigStore>) {
    if let Some((_, gizmos)) = store.get_config_mut::<SteeringGizmos>() {
        gizmos.shown = Shown::Marked;
    }
}

/// The colour of the gizmos of a behaviour, even if they are not drawn.
pub(crate) fn behavior_color(world: &World, index: usize) -> Color32 {
    let configured = || {
        let (_, gizmos) =
            world.get_resource::<GizmoConfigStore>()?.get_config::<SteeringGizmos>()?;
        gizmos.color_of(world.get_resource::<BehaviorRegistry>()?, index)
    };
    style::to_egui(configured().unwrap_or_else(|| SteeringGizmos::default_color(index)))
}

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    if !world.contains_resource::<GizmoConfigStore>() {
        ui.label(
            RichText::new("The app has no GizmoPlugin: add it to draw gizmos.").color(style::FAINT),
        );
        return;
    }
    world.resource_scope(|world, mut store: Mut<GizmoConfigStore>| {
        let Some((config, gizmos)) = store.get_config_mut::<SteeringGizmos>() else {
            ui.label(
                RichText::new("The app has no SteeringGizmosPlugin: add it to draw gizmos.")
                    .color(style::FAINT),
            );
            return;
        };
        let before = GizmoSettings::of(config, gizmos);
        switches(ui, config, gizmos);
        ui.add_enabled_ui(config.enabled, |ui| {
            with_margin(ui, |ui| {
                fields(ui, world, gizmos);
                behaviors(ui, world, gizmos);
            });
        });
        before.remember_changes(world, config, gizmos);
    });
}

fn switches(ui: &mut egui::Ui, config: &mut GizmoConfig, gizmos: &mut SteeringGizmos) {
    ui.horizontal(|ui| {
        let switch = ui.checkbox(&mut config.enabled, "Draw gizmos");
        name_switch(&switch, config.enabled, "Draw gizmos");
        ui.selectable_value(&mut gizmos.shown, Shown::All, "All agents");
        ui.selectable_value(&mut gizmos.shown, Shown::Marked, "Selected agent");
    });
}

/// The fields of the config group, by reflection.
fn fields(ui: &mut egui::Ui, world: &World, gizmos: &mut SteeringGizmos) {
    let TypeInfo::Struct(info) = SteeringGizmos::type_info() else { return };
    let standard = SteeringGizmos::default();
    let registry = &world.resource::<Editors>().registry;
    let options = registry.get_type_data::<ReflectInspectorOptions>(info.type_id());
    for (i, field) in info.iter().enumerate() {
        let is_elsewhere = field.is::<Shown>() || field.name() == "behaviors";
        let Some(value) = gizmos.field_at_mut(i).filter(|_| !is_elsewhere) else { continue };
        let options = options.and_then(|options| options.0.get(Place::Field(i))).unwrap_or(&());
        let name = field.name();
        let default = default_color(i);
        let row = ui.scope(|ui| {
            let draw = |ui: &mut egui::Ui| entry(ui, registry, name, value, options, default);
            style::row(ui, name, help(field), draw);
        });
        let differs =
            |standard: &&dyn PartialReflect| value.reflect_partial_eq(*standard) == Some(false);
        if let Some(standard) = standard.field_at(i).filter(differs)
            && reset_button(ui, row.response.rect, &format!("Gizmo {name}"))
        {
            value.apply(standard);
        }
    }
}

/// The colour with which a field is switched on: its default, or one that no other field has.
fn default_color(field: usize) -> Color {
    let standard = SteeringGizmos::default();
    let own = standard.field_at(field).and_then(|own| *own.try_downcast_ref::<Option<Color>>()?);
    own.unwrap_or_else(|| SteeringGizmos::default_color(field))
}

fn entry(
    ui: &mut egui::Ui,
    registry: &TypeRegistry,
    name: &str,
    value: &mut dyn PartialReflect,
    options: &dyn Any,
    default: Color,
) {
    if let Some(color) = value.try_downcast_mut::<Option<Color>>() {
        optional_color(ui, name, color, default);
    } else if let Some(paint) = value.try_downcast_mut::<Paint>() {
        paint_switch(ui, name, paint);
    } else {
        let id = ui.id().with(name);
        let mut context = Context::default();
        let field = FieldName(format!("Gizmo {name}"));
        ui.data_mut(|data| data.insert_temp(egui::Id::NULL, field));
        InspectorUi::new_no_short_circuit(registry, &mut context)
            .ui_for_reflect_with_options(value, ui, id, options);
        ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));
    }
}

fn switch(ui: &mut egui::Ui, name: &str, is_on: bool) -> bool {
    let mut on = is_on;
    let response = ui.checkbox(&mut on, "");
    name_switch(&response, is_on, &format!("Gizmo {name}"));
    on
}

/// A switch, and a colour button while it is on.
fn optional_color(ui: &mut egui::Ui, name: &str, color: &mut Option<Color>, default: Color) {
    let is_on = switch(ui, name, color.is_some());
    if is_on != color.is_some() {
        *color = is_on.then_some(default);
    }
    if let Some(color) = color {
        swatch(ui, color);
    }
}

/// A kind of gizmo: off, in the colours of the behaviours, or in one colour.
fn paint_switch(ui: &mut egui::Ui, name: &str, paint: &mut Paint) {
    let is_on = switch(ui, name, *paint != Paint::Off);
    if is_on != (*paint != Paint::Off) {
        *paint = if is_on { Paint::Own } else { Paint::Off };
    }
    match paint {
        Paint::Off => {}
        Paint::Own => {
            if ui.small_button("behaviour colours").on_hover_text("Use one colour").clicked() {
                *paint = Paint::Color(ONE_COLOR);
            }
        }
        Paint::Color(color) => {
            swatch(ui, color);
            if ui
                .small_button("one colour")
                .on_hover_text("Use the colours of the behaviours")
                .clicked()
            {
                *paint = Paint::Own;
            }
        }
    }
}

fn swatch(ui: &mut egui::Ui, color: &mut Color) {
    let mut bytes = color.to_srgba().to_u8_array();
    if ui.color_edit_button_srgba_unmultiplied(&mut bytes).changed() {
        let [red, green, blue, alpha] = bytes;
        *color = Color::srgba_u8(red, green, blue, alpha);
    }
}

/// A switch and a colour for each behaviour.
fn behaviors(ui: &mut egui::Ui, world: &World, gizmos: &mut SteeringGizmos) {
    let Some(registry) = world.get_resource::<BehaviorRegistry>() else { return };
    ui.label(RichText::new("Behaviours").color(style::FAINT));
    for (index, behavior) in registry.iter().enumerate() {
        let before = gizmos.color_of(registry, index);
        let mut color = before;
        let row = ui.scope(|ui| {
            style::row(ui, behavior.name, None, |ui| {
                optional_color(ui, behavior.name, &mut color, SteeringGizmos::default_color(index));
            });
        });
        if color != before {
            gizmos.behaviors.insert(behavior.name.to_owned(), color);
        }
        if gizmos.behaviors.contains_key(behavior.name)
            && reset_button(ui, row.response.rect, &format!("Gizmo {}", behavior.name))
        {
            gizmos.behaviors.remove(behavior.name);
        }
    }
}
