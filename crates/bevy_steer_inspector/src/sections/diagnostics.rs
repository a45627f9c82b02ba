//! How many agents, how many ticks, how many milliseconds.

use bevy::{
    diagnostic::{DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{SteeringDiagnosticsPlugin, SteeringSystems};

use crate::style;

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    let Some(store) = world.get_resource::<DiagnosticsStore>() else {
        ui.label("Nothing is measured.");
        return;
    };
    let smoothed = |path: &DiagnosticPath| {
        store.get(path).and_then(|diagnostic| diagnostic.smoothed()).unwrap_or(0.0)
    };
    let newest = |path: &DiagnosticPath| {
        store.get(path).and_then(|diagnostic| diagnostic.value()).unwrap_or(0.0)
    };
    line(ui, "Agents", &format!("{:.0}", newest(&SteeringDiagnosticsPlugin::AGENTS)));
    let ticks = newest(&SteeringDiagnosticsPlugin::TICKS_PER_SECOND);
    line(ui, "Ticks a second", &format!("{ticks:.1}"));
    let tick = smoothed(&SteeringDiagnosticsPlugin::TICK);
    line(ui, "One tick", &milliseconds(tick));
    for stage in SteeringSystems::ALL {
        let time = smoothed(&SteeringDiagnosticsPlugin::stage(stage));
        style::row(ui, &format!("{stage:?}"), None, |ui| {
            ui.add_sized([64.0, 14.0], value(&milliseconds(time)));
            share(ui, if tick > 0.0 { (time / tick) as f32 } else { 0.0 });
        });
    }
}

fn milliseconds(value: f64) -> String {
    format!("{value:.3} ms")
}

fn line(ui: &mut egui::Ui, name: &str, text: &str) {
    style::row(ui, name, None, |ui| ui.add_sized([64.0, 14.0], value(text)));
}

fn value(text: &str) -> egui::Label {
    egui::Label::new(RichText::new(text).monospace()).halign(egui::Align::RIGHT)
}

/// A bar for a share of the tick.
fn share(ui: &mut egui::Ui, share: f32) {
    let (whole, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 6.0), egui::Sense::hover());
    let mut filled = whole;
    filled.set_width(whole.width() * share.clamp(0.0, 1.0));
    ui.painter().rect_filled(whole, 2.0, ui.visuals().extreme_bg_color);
    ui.painter().rect_filled(filled, 2.0, style::ACCENT);
}
