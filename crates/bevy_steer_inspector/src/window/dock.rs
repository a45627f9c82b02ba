//! The panel, docked to a side of the primary window.

use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

use crate::{
    panel::inspector_ui,
    state::inspector::{Inspector, Side},
    style,
};

const DEFAULT_WIDTH: f32 = 340.0;
const MIN_WIDTH: f32 = 300.0;
/// The width of the edge that resizes the panel. No wider than the margin of the panel.
const GRIP: f32 = 6.0;

/// The width that the docked panel takes at each side of the window, in logical pixels; 0 while it
/// is closed or at the other side. For games that keep panels of their own beside it.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct PanelWidth {
    /// At the left side.
    pub left: f32,
    /// At the right side.
    pub right: f32,
}

/// Shows the panel in the primary egui context.
pub(crate) fn show_panel(world: &mut World) {
    let inspector = world.resource::<Inspector>();
    let (is_open, side) = (inspector.is_open, inspector.side);
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let context = contexts.single_mut(world).ok().map(|mut context| context.get_mut().clone());
    let mut width = PanelWidth::default();
    if let Some(context) = context.filter(|_| is_open) {
        let used = show(&context, side, |ui| inspector_ui(ui, world));
        match side {
            Side::Left => width.left = used,
            Side::Right => width.right = used,
        }
    }
    world.resource_mut::<PanelWidth>().set_if_neq(width);
}

/// Shows a panel over the whole height of the window. Returns its width.
///
/// It is an `egui::Area`: egui does not count the pointer over an `egui::Panel` as its own, unless
/// the panel is in the root `Ui`, which `bevy_egui` does not give away.
fn show(context: &egui::Context, side: Side, contents: impl FnOnce(&mut egui::Ui)) -> f32 {
    let id = egui::Id::new("steering inspector");
    let window = context.viewport_rect();
    let widths = MIN_WIDTH..=(window.width() * 0.6).max(MIN_WIDTH);
    let width = context.data(|data| data.get_temp(id)).unwrap_or(DEFAULT_WIDTH);
    let width = width.clamp(*widths.start(), *widths.end());
    let mut rect = window;
    match side {
        Side::Left => rect.set_right(window.left() + width),
        Side::Right => rect.set_left(window.right() - width),
    }
    let area = egui::Area::new(id).fixed_pos(rect.min).constrain(false).movable(false);
    area.show(context, |ui| {
        ui.set_min_size(rect.size());
        ui.set_max_size(rect.size());
        style::frame().show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            contents(ui);
        });
        let mut grip = rect;
        match side {
            Side::Left => grip.set_left(rect.right() - GRIP),
            Side::Right => grip.set_right(rect.left() + GRIP),
        }
        let grip = ui.interact(grip, id.with("grip"), egui::Sense::drag());
        if let Some(pointer) = grip.interact_pointer_pos().filter(|_| grip.dragged()) {
            let width = match side {
                Side::Left => pointer.x - rect.left(),
                Side::Right => rect.right() - pointer.x,
            };
            ui.data_mut(|data| data.insert_temp(id, width));
        }
        grip.on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    });
    width
}
