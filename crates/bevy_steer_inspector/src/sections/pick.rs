//! The line that says which parameter the next click in the world sets. Above what scrolls, so that
//! it is always in sight: until then clicks do not select.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use crate::{
    state::inspector::{Inspector, PickRequest},
    style,
};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    let mut inspector = world.resource_mut::<Inspector>();
    let Some(PickRequest { name, path, .. }) = &inspector.pick else { return };
    // The name of one of several behaviours already has its index.
    let field = path.rsplit_once("].").map_or(path.as_str(), |(_, field)| field);
    let text = format!("🎯 Click a point or an entity in the world to set {name}.{field}");
    let mut is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(text).color(style::ACCENT));
        is_cancelled |= ui.small_button("cancel").on_hover_text("Escape").clicked();
    });
    if is_cancelled {
        inspector.pick = None;
    }
}
