//! The parts of the panel that are about the selected agent.

pub(crate) mod behaviors;
pub(crate) mod body;
pub(crate) mod change;
mod fields;
pub(crate) mod history;
pub(crate) mod pick;
mod plot;
mod pushes;
mod states;

pub(crate) use fields::is_glam;
pub(crate) use states::is_state;

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_steer::{SteeringForce, Vehicle, Velocity};

use crate::{
    agents::list::label_of,
    editors::parameter::Yardstick,
    inspector::{Inspector, Scope},
    presets, style,
};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(&vehicle) = world.get::<Vehicle>(agent) else { return };
    let Vehicle { radius, max_speed, max_force, .. } = vehicle;
    let yardstick = Yardstick { radius, max_speed, max_force };
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, yardstick));

    ui.separator();
    heading(ui, world, agent);
    pick::banner(ui, world);
    style::section(ui, "Who pushes", true, |ui| pushes::show(ui, world, agent));
    style::section(ui, "The last ten seconds", true, |ui| plot::show(ui, world));
    style::section(ui, "Behaviours", true, |ui| behaviors::show(ui, world, agent));
    style::section(ui, "Body", false, |ui| body::show(ui, world, agent));
    style::section(ui, "Presets", true, |ui| presets::section::show(ui, world, agent));
}

fn heading(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let label = label_of(world, agent);
    let speed = world.get::<Velocity>(agent).map_or(0.0, |velocity| velocity.length());
    let force = world.get::<SteeringForce>(agent).map_or(0.0, |force| force.linear.length());
    let mut inspector = world.resource_mut::<Inspector>();
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let away = ui.small_button("✖").on_hover_text("Select nobody");
            away.widget_info(|| {
                egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Deselect")
            });
            if away.clicked() {
                inspector.select(None);
            }
            let follow = ui.toggle_value(&mut inspector.follows, "👁 follow");
            follow.on_hover_text("The camera goes with the agent");
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(label).strong()).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{} units/s", style::short(speed))).color(style::SPEED));
        ui.label(RichText::new(format!("{} N", style::short(force))).color(style::FORCE))
            .on_hover_text("The steering force, in kilogram units a second squared");
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new("Changes are for").color(style::FAINT));
        ui.selectable_value(&mut inspector.scope, Scope::One, "this one");
        ui.selectable_value(&mut inspector.scope, Scope::All, "all that have it").on_hover_text(
            "What you change, and only that, becomes the same for every agent with the component",
        );
    });
}
