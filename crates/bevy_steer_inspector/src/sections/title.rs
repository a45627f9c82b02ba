//! The top line: title, docking side, close button.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use crate::state::inspector::{Inspector, Side};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    let mut inspector = world.resource_mut::<Inspector>();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Steering").heading().strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.small_button("✖").on_hover_text("Close the panel").clicked() {
                inspector.is_open = false;
            }
            let (symbol, other) = match inspector.side {
                Side::Left => ("➡", Side::Right),
                Side::Right => ("⬅", Side::Left),
            };
            if ui.small_button(symbol).on_hover_text("Dock to the other side").clicked() {
                inspector.side = other;
            }
        });
    });
}
