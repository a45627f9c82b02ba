//! The agents section of the panel.

use bevy::prelude::*;
use bevy_egui::egui::{self, RichText};

use super::list::AgentList;
use crate::{
    accessible::{name_switch, name_text_field},
    state::inspector::Inspector,
    style,
};

const ROW_HEIGHT: f32 = 17.0;
const SPACING: f32 = 1.0;
const ROWS: usize = 7;

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    AgentList::refresh(world, ui.input(|input| input.time));
    world.resource_scope(|world, mut list: Mut<AgentList>| {
        search_line(ui, &mut list);
        let mut inspector = world.resource_mut::<Inspector>();
        rows(ui, &mut list, &mut inspector);
    });
}

fn search_line(ui: &mut egui::Ui, list: &mut AgentList) {
    ui.horizontal(|ui| {
        let count = if list.filter.search.is_empty() {
            list.count().to_string()
        } else {
            format!("{} of {}", list.match_count(), list.count())
        };
        ui.label(RichText::new(count).monospace().color(style::FAINT));
        // Right to left, so that the field gets exactly the remaining width: a wider row would
        // widen a panel that adapts to its contents.
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if list.obstacle_count() > 0 {
                let is_on = &mut list.filter.with_obstacles;
                let switch = ui.toggle_value(is_on, RichText::new("obstacles").small());
                name_switch(&switch, *is_on, "List obstacles");
                switch.on_hover_text("List agents that are obstacles too");
            }
            let search = &mut list.filter.search;
            let clear = egui::Button::new("✖").small();
            let clear = ui.add_visible(!search.is_empty(), clear).on_hover_text("Show all");
            if clear.clicked() {
                search.clear();
            }
            let field = egui::TextEdit::singleline(search)
                .hint_text("🔍 name or #id")
                .id_salt("search")
                .desired_width(ui.available_width());
            let field = ui.add(field);
            name_text_field(&field, search, "Search agents");
        });
    });
}

/// The rows, in a part of the panel that keeps its height.
fn rows(ui: &mut egui::Ui, list: &mut AgentList, inspector: &mut Inspector) {
    let size = egui::vec2(ui.available_width(), ROWS as f32 * (ROW_HEIGHT + SPACING));
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        ui.spacing_mut().item_spacing.y = SPACING;
        if list.match_count() == 0 {
            let text = if list.count() == 0 { "No agents yet." } else { "No matching agents." };
            ui.label(RichText::new(text).color(style::FAINT));
            return;
        }
        let mut area =
            egui::ScrollArea::vertical().id_salt("agents").max_height(size.y).auto_shrink(false);
        // To an agent that was not selected here but in the world.
        let is_new = inspector.selected != list.seen;
        let new = inspector.selected.filter(|_| is_new);
        if let Some(row) = new.and_then(|agent| list.row_of(agent)) {
            let top = row as f32 * (ROW_HEIGHT + SPACING);
            area = area.vertical_scroll_offset((top - 0.5 * (size.y - ROW_HEIGHT)).max(0.0));
        }
        area.show_rows(ui, ROW_HEIGHT, list.match_count(), |ui, visible| {
            for row in visible {
                show_row(ui, list, inspector, row);
            }
        });
    });
    list.seen = inspector.selected;
}

fn show_row(ui: &mut egui::Ui, list: &AgentList, inspector: &mut Inspector, row: usize) {
    let Some(listed) = list.get(row) else { return };
    let is_selected = inspector.is_selected(listed.agent);
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    let button = egui::Button::selectable(is_selected, listed.label.as_str());
    if !ui.add(button.truncate().min_size(size)).clicked() {
        return;
    }
    let keys = ui.input(|input| input.modifiers);
    let anchor = inspector.selected.and_then(|agent| list.row_of(agent));
    if keys.command || keys.ctrl {
        inspector.toggle(listed.agent);
    } else if let Some(anchor) = anchor.filter(|_| keys.shift) {
        let range = anchor.min(row)..=anchor.max(row);
        let agents = range.filter_map(|row| Some(list.get(row)?.agent));
        inspector.others = agents.filter(|&agent| inspector.selected != Some(agent)).collect();
    } else {
        let is_alone = inspector.others.is_empty();
        inspector.select((!(is_selected && is_alone)).then_some(listed.agent));
    }
}
