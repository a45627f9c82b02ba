//! The button beside a value that differs from its default.

use bevy_egui::egui::{self, Align2, CursorIcon, Sense, TextStyle};

use crate::{accessible::name_button, style};

/// The width of the margin at the left of rows, where the button is.
pub(crate) const MARGIN: i8 = 14;

/// Shows the button in the margin at the left of a row, so that rows keep their size. Returns
/// whether it was clicked.
pub(crate) fn reset_button(ui: &egui::Ui, row: egui::Rect, name: &str) -> bool {
    let size = egui::vec2(f32::from(MARGIN), ui.spacing().interact_size.y);
    let corner = row.left_top() - egui::vec2(size.x, 0.0);
    let rect = egui::Rect::from_min_size(corner, size);
    let button = ui.interact(rect, ui.id().with(("reset", name)), Sense::click());
    name_button(&button, &format!("Reset {name}"));
    let color = if button.hovered() { style::TEXT } else { style::FAINT };
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, "↺", font, color);
    let button = button.on_hover_cursor(CursorIcon::PointingHand);
    button.on_hover_text("Reset to the default").clicked()
}

/// Rows with the margin for the button at their left.
pub(crate) fn with_margin<R>(ui: &mut egui::Ui, rows: impl FnOnce(&mut egui::Ui) -> R) -> R {
    let margin = egui::Margin { left: MARGIN, bottom: 4, ..Default::default() };
    egui::Frame::new().inner_margin(margin).show(ui, rows).inner
}
