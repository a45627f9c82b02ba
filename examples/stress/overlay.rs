//! Text over the crowd: the frame rate with a graph of frame times, and the cost of steering.

use std::collections::VecDeque;

use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
};
use bevy_egui::{
    EguiContexts,
    egui::{self, Align2, Area, Context, Frame, RichText, Ui},
};
use bevy_steer::{SteeringDiagnosticsPlugin, prelude::*};
use egui_plot::{HLine, Line, Plot, PlotPoints};

use super::window::Setup;
use crate::{
    keys::{Action, help},
    palette::{self, to_egui},
};

/// The number of frames in the graph.
const FRAMES: usize = 120;
/// The largest frame time in the graph, in milliseconds: 10 frames a second.
const LONGEST: f64 = 100.0;
/// The frame time of 60 frames a second, in milliseconds.
const TARGET: f64 = 1000.0 / 60.0;
/// Seconds between two updates of the text.
const REFRESH: f32 = 0.25;

/// The times of the last frames, in milliseconds, and the text made of them.
#[derive(Resource, Default)]
pub(super) struct Overlay {
    frames: VecDeque<f64>,
    frame_rate: String,
    steering: String,
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
    }
}

fn steering_text(diagnostics: &DiagnosticsStore, agents: u32) -> String {
    let smooth = |path| diagnostics.get(&path).and_then(Diagnostic::smoothed).unwrap_or_default();
    let tick = smooth(SteeringDiagnosticsPlugin::TICK);
    let stages: Vec<String> = [
        ("sense", SteeringSystems::Sense),
        ("behave", SteeringSystems::Behave),
        ("combine", SteeringSystems::Combine),
        ("limit", SteeringSystems::Limit),
        ("integrate", SteeringSystems::Integrate),
    ]
    .into_iter()
    .map(|(name, stage)| format!("{name} {:.2}", smooth(SteeringDiagnosticsPlugin::stage(stage))))
    .collect();
    format!(
        "{agents} agents   steering {tick:.2} ms per tick   {:.0} ns per agent\n\
        {}\nLeft button attracts   Right button scares   Wheel zooms\n{}",
        tick * 1e6 / f64::from(agents),
        stages.join("   "),
        help(&[Action::ShowWhole]),
    )
}

pub(super) fn show(mut contexts: EguiContexts, overlay: Res<Overlay>) -> Result {
    let context = contexts.ctx_mut()?.clone();
    panel(&context, "frame rate", Align2::LEFT_TOP, |ui| {
        ui.label(RichText::new(&overlay.frame_rate).size(20.0).color(to_egui(palette::TEXT)));
        graph(ui, &overlay.frames);
    });
    panel(&context, "steering", Align2::LEFT_BOTTOM, |ui| {
        let text = RichText::new(&overlay.steering).size(15.0).color(to_egui(palette::TEXT));
        ui.add(egui::Label::new(text).extend());
    });
    Ok(())
}

/// A corner of the window with a background that text stands out against.
fn panel(context: &Context, id: &'static str, corner: Align2, contents: impl FnOnce(&mut Ui)) {
    let offset = egui::vec2(10.0, if corner == Align2::LEFT_TOP { 10.0 } else { -10.0 });
    let frame = Frame::new()
        .fill(to_egui(palette::GROUND.with_alpha(0.8)))
        .corner_radius(4)
        .inner_margin(6);
    // Not interactable: clicks go through to the agents.
    let area = Area::new(id.into()).anchor(corner, offset).interactable(false);
    area.show(context, |ui| frame.show(ui, contents));
}

fn graph(ui: &mut Ui, frames: &VecDeque<f64>) {
    let points = frames.iter().enumerate().map(|(i, &frame)| [i as f64, frame.min(LONGEST)]);
    let line = Line::new("frame time", points.collect::<PlotPoints<'_>>())
        .color(to_egui(palette::GREEN))
        .width(1.5);
    let target = HLine::new("60 frames/s", TARGET).color(to_egui(palette::FAINT_TEXT)).width(0.5);
    Plot::new("frame times")
        .width(160.0)
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
