//! The behaviours of the selected agent: a card for each, and a menu that adds more.

use bevy::{
    prelude::*,
    reflect::{TypeInfo, TypeRegistry, Typed},
};
use bevy_egui::egui::{self, RichText, collapsing_header::CollapsingState};
use bevy_steer::{BehaviorRegistry, Blend, Priority, RegisteredBehavior};

use super::component;
use crate::{
    change::{
        behaviors::{add, can_be_added, remove},
        fields::agents_in_scope,
    },
    editors::{
        number::{FieldName, slider},
        registry::Editors,
    },
    reflection::{describe::describe, kinds::help, parameter::Parameter},
    sections::gizmos::behavior_color,
    style,
};

pub(super) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(known) = world.get_resource::<BehaviorRegistry>() else {
        ui.label("The app has no SteeringPlugin: add it to see behaviours.");
        return;
    };
    let known: Vec<RegisteredBehavior> = known.iter().copied().collect();
    world.resource_scope(|world, editors: Mut<Editors>| {
        for (index, behavior) in known.iter().enumerate() {
            let has_it = world.get_entity(agent).is_ok_and(|entity| behavior.has(entity));
            if has_it {
                ui.push_id(behavior.type_id, |ui| {
                    card(ui, world, &editors.registry, agent, index, behavior);
                });
            }
        }
        add_menu(ui, world, &editors.registry, agent, &known);
    });
}

fn card(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    index: usize,
    behavior: &RegisteredBehavior,
) {
    let id = ui.make_persistent_id("card");
    let color = behavior_color(world, index);
    let mut body = CollapsingState::load_with_default_open(ui.ctx(), id, false);
    ui.horizontal(|ui| {
        let (symbol, verb) = if body.is_open() { ("⏷", "Hide") } else { ("⏵", "Show") };
        let button = ui.add(egui::Button::new(symbol).small().frame(false));
        let name = format!("{verb} {}", behavior.name);
        button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
        if button.on_hover_text(format!("{verb} the parameters")).clicked() {
            body.toggle(ui);
        }
        head(ui, world, registry, agent, behavior, color);
    });
    body.show_body_unindented(ui, |ui| {
        let margin = egui::Margin { left: 14, bottom: 4, ..default() };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            blend(ui, world, agent, behavior);
            component::show(ui, world, registry, agent, behavior.type_id, behavior.name);
        });
    });
}

/// The line of a card that is always visible: colour, name with its switch, tier and weight.
fn head(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
    color: egui::Color32,
) {
    let Some(blend) = blend_of(world, agent, behavior) else { return };
    let (swatch, _) = ui.allocate_exact_size(egui::Vec2::splat(8.0), egui::Sense::hover());
    ui.painter().rect_filled(swatch, 2.0, color);
    let mut enabled = blend.enabled;
    let text = RichText::new(behavior.name);
    let text = if enabled { text.strong() } else { text.color(style::FAINT) };
    let switch = ui.checkbox(&mut enabled, text).on_hover_text("Enable or disable");
    let name = format!("{} on", behavior.name);
    switch.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, blend.enabled, &name)
    });
    if switch.changed() {
        edit_blend(world, agent, behavior, |blend| blend.enabled = enabled);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let is_removable = registry.get_type_data::<ReflectComponent>(behavior.type_id).is_some();
        let button = ui.add_enabled(is_removable, egui::Button::new("✖").small());
        let name = format!("Remove {}", behavior.name);
        button.widget_info(|| {
            egui::WidgetInfo::labeled(egui::WidgetType::Button, is_removable, &name)
        });
        if button.on_hover_text("Remove the behaviour").clicked() {
            for agent in agents_in_scope(world, agent, behavior.type_id) {
                remove(world, registry, agent, behavior);
            }
        }
        let weight = format!("× {}", style::short(blend.weight));
        let tier = blend.priority.unwrap_or(behavior.priority);
        ui.label(RichText::new(format!("{tier:?}  {weight}")).small().color(style::FAINT));
    });
}

/// The weight and the priority of a behaviour.
fn blend(ui: &mut egui::Ui, world: &mut World, agent: Entity, behavior: &RegisteredBehavior) {
    let Some(blend) = blend_of(world, agent, behavior) else { return };
    let (weight_help, parameter) = weight_parameter();
    let mut weight = blend.weight;
    let name = FieldName(format!("{}.weight", behavior.name));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
    let id = ui.id().with("weight");
    if style::row(ui, "weight", weight_help, |ui| slider(ui, &mut weight, parameter, id)) {
        edit_blend(world, agent, behavior, |blend| blend.weight = weight);
    }
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));

    let priority_help = "The tier in arbitration. Higher tiers get their force first.";
    let mut priority = blend.priority;
    let own = format!("default ({:?})", behavior.priority);
    style::row(ui, "priority", Some(priority_help), |ui| {
        let text = |priority: Option<Priority>| match priority {
            Some(priority) => format!("{priority:?}"),
            None => own.clone(),
        };
        let choice = egui::ComboBox::from_id_salt("priority").selected_text(text(blend.priority));
        let choice = choice.show_ui(ui, |ui| {
            for other in [None].into_iter().chain(Priority::ALL.map(Some)) {
                ui.selectable_value(&mut priority, other, text(other));
            }
        });
        let name = format!("{}.priority", behavior.name);
        choice
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::ComboBox, true, &name));
    });
    if priority != blend.priority {
        edit_blend(world, agent, behavior, |blend| blend.priority = priority);
    }
}

/// The help, unit and range of [`Blend::weight`].
fn weight_parameter() -> (Option<&'static str>, Parameter) {
    let TypeInfo::Struct(info) = Blend::type_info() else { return (None, Parameter::default()) };
    let Some(field) = info.field("weight") else { return (None, Parameter::default()) };
    (help(field), describe(field.custom_attributes()).unwrap_or_default())
}

fn blend_of(world: &World, agent: Entity, behavior: &RegisteredBehavior) -> Option<Blend> {
    behavior.blend(world.get_entity(agent).ok()?).copied()
}

fn edit_blend(
    world: &mut World,
    agent: Entity,
    behavior: &RegisteredBehavior,
    edit: impl Fn(&mut Blend),
) {
    for agent in agents_in_scope(world, agent, behavior.type_id) {
        if let Ok(mut entity) = world.get_entity_mut(agent) {
            behavior.edit_blend(&mut entity, &edit);
        }
    }
}

/// The menu of behaviours that the agent does not have.
fn add_menu(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    known: &[RegisteredBehavior],
) {
    ui.menu_button("+ Add behaviour", |ui| {
        for behavior in known {
            if world.get_entity(agent).is_ok_and(|entity| behavior.has(entity)) {
                continue;
            }
            let is_possible = can_be_added(registry, behavior);
            let button = ui.add_enabled(is_possible, egui::Button::new(behavior.name));
            if button.clicked() {
                add(world, registry, agent, behavior);
                ui.close();
            }
            button.on_disabled_hover_text(
                "Cannot be added here: its type needs #[reflect(Component, Default)].",
            );
        }
    });
}
