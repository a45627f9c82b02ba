//! The agents section of the panel.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use super::list::AgentList;
use crate::{accessible::name_text_field, state::inspector::Inspector, style};

const ROW_HEIGHT: f32 = 17.0;
const ROWS: usize = 7;

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    AgentList::refresh(world, ui.input(|input| input.time));
    world.resource_scope(|world, mut list: Mut<AgentList>| {
        search_line(ui, &mut list);
        let mut inspector = world.resource_mut::<Inspector>();
        rows(ui, &list, &mut inspector);
    });
}

fn search_line(ui: &mut egui::Ui, list: &mut AgentList) {
    ui.horizontal(|ui| {
        let count = if list.search.is_empty() {
            list.count().to_string()
        } else {
            format!("{} of {}", list.match_count(), list.count())
        };
        ui.label(RichText::new(count).monospace().color(style::FAINT));
        // Right to left, so that the field gets exactly the remaining width: a wider row would
        // widen a panel that adapts to its contents.
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let clear = egui::Button::new("✖").small();
            let clear = ui.add_visible(!list.search.is_empty(), clear).on_hover_text("Show all");
            if clear.clicked() {
                list.search.clear();
            }
            let field = egui::TextEdit::singleline(&mut list.search)
                .hint_text("🔍 name or #id")
                .id_salt("search")
                .desired_width(ui.available_width());
            let field = ui.add(field);
            name_text_field(&field, &list.search, "Search agents");
        });
    });
}

fn rows(ui: &mut egui::Ui, list: &AgentList, inspector: &mut Inspector) {
    if list.match_count() == 0 {
        let text = if list.count() == 0 { "No agents yet." } else { "No matching agents." };
        ui.label(RichText::new(text).color(style::FAINT));
        return;
    }
    let height = ROWS as f32 * (ROW_HEIGHT + 1.0);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        egui::ScrollArea::vertical()
            .id_salt("agents")
            .max_height(height)
            .auto_shrink([false, true])
            .show_rows(ui, ROW_HEIGHT, list.match_count(), |ui, visible| {
                for listed in visible.filter_map(|row| list.get(row)) {
                    let is_selected = inspector.selected == Some(listed.agent);
                    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
                    let row = egui::Button::selectable(is_selected, listed.label.as_str())
                        .truncate()
                        .min_size(size);
                    if ui.add(row).clicked() {
                        inspector.select((!is_selected).then_some(listed.agent));
                    }
                }
            });
    });
}
