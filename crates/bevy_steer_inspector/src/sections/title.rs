//! The top line: what this is, to which side it is docked, and how to get rid of it.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use crate::{dock::Side, inspector::Inspector};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    let mut inspector = world.resource_mut::<Inspector>();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Steering").heading().strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.small_button("✖").on_hover_text("Close the panel").clicked() {
                inspector.is_open = false;
            }
            let (sign, other) = match inspector.side {
                Side::Left => ("➡", Side::Right),
                Side::Right => ("⬅", Side::Left),
            };
            if ui.small_button(sign).on_hover_text("Dock to the other side").clicked() {
                inspector.side = other;
            }
        });
    });
}
