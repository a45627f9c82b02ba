//! Editor of paths: a list of points.

use core::any::Any;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::{Path, Point};

use super::{editor::Editor, number::drag, target::numbers};
use crate::style;

impl Editor for Path {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        _: &dyn Any,
        id: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        let mut edited: Option<Vec<Point>> = None;
        let title = format!("{} points, {} units", self.len(), style::short(self.length(false)));
        egui::CollapsingHeader::new(title).id_salt(id).show_unindented(ui, |ui| {
            for (i, point) in self.given().iter().enumerate() {
                ui.horizontal(|ui| {
                    let mut new = *point;
                    let mut changed = false;
                    for value in numbers(&mut new) {
                        changed |= drag(ui, value, "");
                    }
                    if changed {
                        edited.get_or_insert_with(|| self.given().to_vec())[i] = new;
                    }
                    if ui.small_button("✖").on_hover_text("Remove the point").clicked() {
                        edited.get_or_insert_with(|| self.given().to_vec()).remove(i);
                    }
                });
            }
            if ui.small_button("+ point").clicked() {
                let points = edited.get_or_insert_with(|| self.given().to_vec());
                points.push(points.last().copied().unwrap_or_default());
            }
        });
        let changed = edited.is_some();
        if let Some(points) = edited {
            *self = Self::new(points);
        }
        changed
    }
}
