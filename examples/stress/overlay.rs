//! Text over the crowd: the frame rate with a graph of frame times, and the cost of a tick and a
//! frame.

use std::collections::VecDeque;

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    prelude::*,
};
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, Area, Frame, Grid, RichText, Ui},
};
use bevy_steer::{SteeringDiagnosticsPlugin, prelude::*};
use egui_plot::{HLine, Line, Plot, PlotPoints};

use super::{
    bar::{self, Part},
    cost::{RENDERING, TRANSFORMS},
    options::Options,
    pointer,
    timings::name_of,
    window::{KEYS, Setup},
};
use crate::{
    keys::bindings,
    palette::{self, to_egui},
};

/// The number of frames in the graph.
const FRAMES: usize = 120;
/// The largest frame time in the graph, in milliseconds: 10 frames a second.
const LONGEST: f64 = 100.0;
/// The width of the bar, in logical pixels.
const BAR: f32 = 246.0;
/// Seconds between two updates of the text.
const REFRESH: f32 = 0.25;

/// The times of the last frames, in milliseconds, and the text made of them.
#[derive(Resource, Default)]
pub(super) struct Overlay {
    frames: VecDeque<f64>,
    frame_rate: String,
    steering: String,
    parts: Vec<Part>,
    next_refresh: f32,
}

pub(super) fn record_frame(
    mut overlay: ResMut<Overlay>,
    time: Res<Time<Real>>,
    diagnostics: Res<DiagnosticsStore>,
    setup: Res<Setup>,
) {
    let overlay = &mut *overlay;
    overlay.frames.push_back(time.delta_secs_f64() * 1000.0);
    if overlay.frames.len() > FRAMES {
        overlay.frames.pop_front();
    }
    if time.elapsed_secs() >= overlay.next_refresh {
        overlay.next_refresh = time.elapsed_secs() + REFRESH;
        let mean = overlay.frames.iter().sum::<f64>() / overlay.frames.len() as f64;
        overlay.frame_rate = format!("{:.0} frames/s", 1000.0 / mean.max(1e-3));
        overlay.steering = steering_text(&diagnostics, setup.0.agents);
        overlay.parts = parts(&diagnostics);
    }
}

fn smooth(diagnostics: &DiagnosticsStore, path: &DiagnosticPath) -> f64 {
    diagnostics.get(path).and_then(Diagnostic::smoothed).unwrap_or_default()
}

fn steering_text(diagnostics: &DiagnosticsStore, agents: u32) -> String {
    let tick = smooth(diagnostics, &SteeringDiagnosticsPlugin::TICK);
    format!(
        "{agents} agents\nsteering {tick:.2} ms a tick,\n{:.0} ns an agent",
        tick * 1e6 / f64::from(agents),
    )
}

/// The stages of steering that take time, each with its colour.
const STAGES: [(SteeringSystems, Color); 5] = [
    (SteeringSystems::Sense, palette::SKY),
    (SteeringSystems::Behave, palette::GREEN),
    (SteeringSystems::Combine, palette::YELLOW),
    (SteeringSystems::Limit, palette::ORANGE),
    (SteeringSystems::Integrate, palette::VERMILION),
];
/// The colours of the rest of steering, of transforms and of rendering.
const OTHER: Color = palette::SUNLIT;
const OF_TRANSFORMS: Color = Color::srgb(0.80, 0.47, 0.65);
const OF_RENDERING: Color = Color::srgb(0.55, 0.60, 0.95);

/// The stages of a tick, and the transforms and the rendering of a frame.
fn parts(diagnostics: &DiagnosticsStore) -> Vec<Part> {
    let time = |path| smooth(diagnostics, &path);
    let parts = STAGES.map(|(stage, color)| Part {
        name: name_of(stage),
        milliseconds: time(SteeringDiagnosticsPlugin::stage(stage)),
        color,
    });
    let named: f64 = parts.iter().map(|part| part.milliseconds).sum();
    let other = (time(SteeringDiagnosticsPlugin::TICK) - named).max(0.0);
    let others = [
        ("other stages", other, OTHER),
        ("transforms", time(TRANSFORMS), OF_TRANSFORMS),
        ("rendering", time(RENDERING), OF_RENDERING),
    ];
    let others = others.map(|(name, milliseconds, color)| Part { name, milliseconds, color });
    parts.into_iter().chain(others).collect()
}

pub(super) fn show(mut contexts: EguiContexts, overlay: Res<Overlay>, setup: Res<Setup>) -> Result {
    let context = contexts.ctx_mut()?.clone();
    let frame = Frame::new()
        .fill(to_egui(palette::GROUND.with_alpha(0.9)))
        .corner_radius(4)
        .inner_margin(6);
    // Not interactable: clicks go through to the agents. Beside the world of a wide window.
    let corner = Area::new("costs".into()).anchor(Align2::LEFT_TOP, egui::vec2(6.0, 6.0));
    corner.interactable(false).show(&context, |ui| {
        frame.show(ui, |ui| contents(ui, &overlay, &setup.0));
    });
    Ok(())
}

fn contents(ui: &mut Ui, overlay: &Overlay, options: &Options) {
    ui.set_width(BAR);
    let line = |ui: &mut Ui, text: &str, size: f32, color: Color| {
        ui.label(RichText::new(text).size(size).color(to_egui(color)));
    };
    line(ui, &overlay.frame_rate, 20.0, palette::TEXT);
    graph(ui, &overlay.frames);
    line(ui, &overlay.steering, 15.0, palette::TEXT);
    line(ui, "Milliseconds of a tick by stage,\nand of a frame:", 14.0, palette::FAINT_TEXT);
    bar::show(ui, BAR, &overlay.parts);
    ui.add_space(8.0);
    let keys = bindings(&KEYS).map(|one| (one.name, one.meaning));
    Grid::new("keys").spacing([14.0, 2.0]).show(ui, |ui| {
        for (name, meaning) in mouse(options).chain(keys) {
            line(ui, name, 14.0, palette::TEXT);
            line(ui, meaning, 14.0, palette::FAINT_TEXT);
            ui.end_row();
        }
    });
}

/// What the mouse does to a crowd that it leads, and to the view.
const LEAD: &[(&str, &str)] = &[("Left button", "attract"), ("Right button", "scare")];
const VIEW: &[(&str, &str)] = &[("Wheel", "zoom"), ("Middle drag", "move")];

/// What the mouse does in this window.
fn mouse(options: &Options) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lead = if pointer::leads(options) { LEAD } else { &[] };
    lead.iter().chain(VIEW).copied()
}

fn graph(ui: &mut Ui, frames: &VecDeque<f64>) {
    let points = frames.iter().enumerate().map(|(i, &frame)| [i as f64, frame.min(LONGEST)]);
    let line = Line::new("frame time", points.collect::<PlotPoints<'_>>())
        .color(to_egui(palette::GREEN))
        .width(1.5);
    let target =
        HLine::new("60 frames/s", bar::FRAME).color(to_egui(palette::FAINT_TEXT)).width(0.5);
    Plot::new("frame times")
        .width(BAR)
        .height(56.0)
        .sense(egui::Sense::hover())
        .show_axes(false)
        .show_grid(false)
        .show_background(false)
        .auto_bounds(false)
        .default_x_bounds(0.0, FRAMES as f64)
        .default_y_bounds(0.0, LONGEST)
        .show(ui, |plot| {
            plot.hline(target);
            plot.line(line);
        });
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn buttons_that_do_nothing_are_not_listed() {
        for (behaviors, leads) in [("flock", true), ("seek", false), ("mix", false)] {
            let options = Options::parse_from(["stress", "--behaviors", behaviors]);
            let names: Vec<&str> = mouse(&options).map(|(name, _)| name).collect();
            assert_eq!(names.contains(&"Left button"), leads, "{behaviors}: {names:?}");
            assert_eq!(names.contains(&"Right button"), leads, "{behaviors}: {names:?}");
            assert!(names.ends_with(&["Wheel", "Middle drag"]), "{behaviors}: {names:?}");
        }
    }
}
