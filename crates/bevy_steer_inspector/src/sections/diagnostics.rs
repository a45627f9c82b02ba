//! The diagnostics section: number of agents, ticks per second, time of each stage.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{SteeringDiagnosticsPlugin, SteeringSystems};

use crate::style;

pub(crate) fn show(ui: &mut egui::Ui, world: &World) {
    let Some(store) = world.get_resource::<DiagnosticsStore>() else {
        ui.label("The app has no DiagnosticsStore: add DiagnosticsPlugin to see measurements.");
        return;
    };
    let smoothed =
        |path: &DiagnosticPath| store.get(path).and_then(Diagnostic::smoothed).unwrap_or(0.0);
    let newest = |path: &DiagnosticPath| store.get(path).and_then(Diagnostic::value).unwrap_or(0.0);
    line(ui, "Agents", &format!("{:.0}", newest(&SteeringDiagnosticsPlugin::AGENTS)));
    let ticks = newest(&SteeringDiagnosticsPlugin::TICKS_PER_SECOND);
    line(ui, "Ticks per second", &format!("{ticks:.1}"));
    let tick = smoothed(&SteeringDiagnosticsPlugin::TICK);
    line(ui, "One tick", &milliseconds(tick));
    for stage in SteeringSystems::ALL {
        let time = smoothed(&SteeringDiagnosticsPlugin::stage(stage));
        style::row(ui, &format!("{stage:?}"), None, |ui| {
            ui.label(value(&milliseconds(time)));
            fraction_bar(ui, if tick > 0.0 { (time / tick) as f32 } else { 0.0 });
        });
    }
}

fn milliseconds(value: f64) -> String {
    format!("{value:.3} ms")
}

fn line(ui: &mut egui::Ui, name: &str, text: &str) {
    style::row(ui, name, None, |ui| ui.label(value(text)));
}

/// Right-aligned, so that numbers below each other line up.
fn value(text: &str) -> RichText {
    RichText::new(format!("{text:>9}")).monospace()
}

/// A bar for the fraction of a tick.
fn fraction_bar(ui: &mut egui::Ui, fraction: f32) {
    let (whole, _) =
        ui.allocate_exact_size(egui::vec2(ui.available_width(), 6.0), egui::Sense::hover());
    let mut filled = whole;
    filled.set_width(whole.width() * fraction.clamp(0.0, 1.0));
    ui.painter().rect_filled(whole, 2.0, ui.visuals().extreme_bg_color);
    ui.painter().rect_filled(filled, 2.0, style::ACCENT);
}
