//! The selected agent: a heading, and a section for each subject.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};
use bevy_steer::{SteeringForce, Vehicle, Velocity};

use super::{behaviors, body, forces, limits, plot};
use crate::{
    accessible::name_button,
    agents::list::label_of,
    presets,
    reflection::parameter::Yardstick,
    state::inspector::{Inspector, Scope},
    style,
};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(&vehicle) = world.get::<Vehicle>(agent) else { return };
    let Vehicle { radius, max_speed, max_force, .. } = vehicle;
    let yardstick = Yardstick { radius, max_speed, max_force };
    ui.data_mut(|data| data.insert_temp(egui::Id::NULL, yardstick));

    ui.separator();
    heading(ui, world, agent);
    style::section(ui, "Forces", true, |ui| forces::show(ui, world, agent));
    style::section(ui, "Limits", true, |ui| limits::show(ui, world, agent));
    style::section(ui, "Last ten seconds", true, |ui| plot::show(ui, world));
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
            let deselect = ui.small_button("✖").on_hover_text("Deselect the agent");
            name_button(&deselect, "Deselect");
            if deselect.clicked() {
                inspector.select(None);
            }
            let follow = ui.toggle_value(&mut inspector.follows, "👁 follow");
            follow.on_hover_text("Keep the agent centred on screen");
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.add(egui::Label::new(RichText::new(label).strong()).truncate());
            });
        });
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{} units/s", style::short(speed))).color(style::SPEED));
        ui.label(RichText::new(format!("force {}", style::short(force))).color(style::FORCE))
            .on_hover_text("Steering force, in kg·units/s²");
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new("Apply changes to").color(style::FAINT));
        let these = match inspector.others.len() {
            0 => "this agent".to_owned(),
            others => format!("{} selected", others + 1),
        };
        ui.selectable_value(&mut inspector.scope, Scope::One, these);
        ui.selectable_value(&mut inspector.scope, Scope::All, "all agents").on_hover_text(
            "Copies each changed parameter to all agents with the same component, \
                 and adds and removes behaviours for all agents",
        );
    });
}
