//! The behaviours of the selected agent: a card each, and how they are added and removed.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{TypeRegistry, std_traits::ReflectDefault},
};
use bevy_egui::egui::{self, RichText, collapsing_header::CollapsingState};
use bevy_inspector_egui::{
    reflect_inspector::{Context, InspectorUi},
    restricted_world_view::{ReflectBorrow, RestrictedWorldView},
};
use bevy_steer::{AngularVelocity, BehaviorRegistry, Blend, Priority, RegisteredBehavior};

use super::{
    change::{agents_in_scope, spread},
    fields,
    pick::PickRequest,
};
use crate::{
    editors::{
        Editors,
        number::{FieldName, slider},
        table::BLEND_WEIGHT,
    },
    inspector::Inspector,
    sections::gizmos::behavior_color,
    style,
};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(known) = world.get_resource::<BehaviorRegistry>() else {
        ui.label("The app has no SteeringPlugin.");
        return;
    };
    let known: Vec<RegisteredBehavior> = known.iter().copied().collect();
    world.resource_scope(|world, editors: Mut<Editors>| {
        for (index, behavior) in known.iter().enumerate() {
            let has_it = world.get_entity(agent).is_ok_and(|entity| behavior.is_on(entity));
            if has_it {
                ui.push_id(behavior.type_id, |ui| {
                    card(ui, world, &editors.registry, agent, index, behavior);
                });
            }
        }
        adding(ui, world, &editors.registry, agent, &known);
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
        let (sign, help) = if body.is_open() { ("⏷", "Hide") } else { ("⏵", "Show") };
        let button = ui.add(egui::Button::new(sign).small().frame(false));
        let name = format!("{help} {}", behavior.name);
        button.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
        if button.on_hover_text(format!("{help} its parameters")).clicked() {
            body.toggle(ui);
        }
        head(ui, world, registry, agent, behavior, color);
    });
    body.show_body_unindented(ui, |ui| {
        let margin = egui::Margin { left: 14, bottom: 4, ..default() };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            blend(ui, world, agent, behavior);
            parameters(ui, world, registry, agent, behavior);
        });
    });
}

/// The line of a behaviour that is always seen: its colour, its name, its switch, its weight.
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
    let switch = ui.checkbox(&mut enabled, text).on_hover_text("On or off");
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
        if button.on_hover_text("Remove it").clicked() {
            for agent in agents_in_scope(world, agent, behavior.type_id) {
                remove(world, registry, agent, behavior);
            }
        }
        let weight = format!("× {}", style::short(blend.weight));
        let tier = blend.priority.unwrap_or(behavior.priority);
        ui.label(RichText::new(format!("{tier:?}  {weight}")).small().color(style::FAINT));
    });
}

/// Its part in arbitration.
fn blend(ui: &mut egui::Ui, world: &mut World, agent: Entity, behavior: &RegisteredBehavior) {
    let Some(blend) = blend_of(world, agent, behavior) else { return };
    let help = "Factor on what it asks for, beside the others of its tier.";
    let mut weight = blend.weight;
    let name = FieldName(format!("{}.weight", behavior.name));
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, name));
    let id = ui.id().with("weight");
    if style::row(ui, "weight", Some(help), |ui| slider(ui, &mut weight, BLEND_WEIGHT, id)) {
        edit_blend(world, agent, behavior, |blend| blend.weight = weight);
    }
    ui.data_mut(|data| data.remove::<FieldName>(egui::Id::NULL));

    let help = "How urgent it is: the higher tiers are served first.";
    let mut priority = blend.priority;
    let own = format!("its own ({:?})", behavior.priority);
    style::row(ui, "priority", Some(help), |ui| {
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

fn parameters(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) {
    let done = draw_component(ui, world, registry, agent, behavior.type_id, behavior.name);
    if !done.changed.is_empty() {
        spread(world, registry, agent, behavior.type_id, &done.changed);
    }
    if let Some(path) = done.pick {
        world.resource_mut::<Inspector>().pick =
            Some(PickRequest { component: behavior.type_id, name: behavior.name, path });
    }
}

/// Draws the parameters of a component of an agent and changes them as the user does.
pub(super) fn draw_component(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    component: TypeId,
    name: &str,
) -> fields::Done {
    let id = ui.id().with(component);
    let mut view = RestrictedWorldView::new(world);
    let (mut own, rest) = view.split_off_component((agent, component));
    let Ok(ReflectBorrow::Mutable(mut value)) =
        own.get_entity_component_reflect(agent, component, registry)
    else {
        ui.label(RichText::new("Cannot be changed by reflection.").color(style::FAINT));
        return fields::Done::default();
    };
    let mut context = Context { world: Some(rest), queue: None };
    let mut env = InspectorUi::new_no_short_circuit(registry, &mut context);
    let reflected = value.bypass_change_detection().as_partial_reflect_mut();
    let done = fields::parameters(ui, &mut env, name, reflected, id);
    if registry.get_type_info(component).is_some_and(fields::has_states) {
        egui::CollapsingHeader::new(RichText::new("state").small().color(style::FAINT))
            .id_salt((id, "state"))
            .show_unindented(ui, |ui| fields::states(ui, &mut env, reflected, id.with("state")));
    }
    if !done.changed.is_empty() {
        value.set_changed();
    }
    done
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

/// The list of behaviours that the agent has not.
fn adding(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    known: &[RegisteredBehavior],
) {
    ui.menu_button("+ Add behaviour", |ui| {
        for behavior in known {
            if world.get_entity(agent).is_ok_and(|entity| behavior.is_on(entity)) {
                continue;
            }
            let is_possible = can_be_made(registry, behavior);
            let button = ui.add_enabled(is_possible, egui::Button::new(behavior.name));
            if button.clicked() {
                add(world, registry, agent, behavior);
                ui.close();
            }
            button.on_disabled_hover_text(
                "Needs #[reflect(Component, Default)] on its type to be added here.",
            );
        }
    });
}

/// Whether a behaviour can be made from nothing.
pub(crate) fn can_be_made(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> bool {
    registry.get_type_data::<ReflectComponent>(behavior.type_id).is_some()
        && registry.get_type_data::<ReflectDefault>(behavior.type_id).is_some()
}

fn add(world: &mut World, registry: &TypeRegistry, agent: Entity, behavior: &RegisteredBehavior) {
    let Some(component) = registry.get_type_data::<ReflectComponent>(behavior.type_id) else {
        return;
    };
    let Some(default) = registry.get_type_data::<ReflectDefault>(behavior.type_id) else { return };
    if let Ok(mut entity) = world.get_entity_mut(agent) {
        component.insert(&mut entity, default.default().as_partial_reflect(), registry);
    }
}

/// Takes a behaviour from an agent. An agent that had it to turn by looks where it goes again.
pub(crate) fn remove(
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    behavior: &RegisteredBehavior,
) {
    let turned = requires_turning(world, behavior.type_id);
    let Some(component) = registry.get_type_data::<ReflectComponent>(behavior.type_id) else {
        return;
    };
    let Ok(mut entity) = world.get_entity_mut(agent) else { return };
    component.remove(&mut entity);
    if turned && !has_turning_behavior(world, agent) {
        world.entity_mut(agent).remove::<AngularVelocity>();
    }
}

fn requires_turning(world: &World, component: TypeId) -> bool {
    let components = world.components();
    let Some(turning) = components.component_id::<AngularVelocity>() else { return false };
    let info = components.get_id(component).and_then(|id| components.get_info(id));
    info.is_some_and(|info| info.required_components().iter_ids().any(|id| id == turning))
}

fn has_turning_behavior(world: &World, agent: Entity) -> bool {
    let Ok(entity) = world.get_entity(agent) else { return false };
    let Some(known) = world.get_resource::<BehaviorRegistry>() else { return false };
    known.iter().any(|behavior| behavior.is_on(entity) && requires_turning(world, behavior.type_id))
}
