//! The plot of speed and force.

use bevy::prelude::*;
use bevy_egui::egui::{self, Color32, RichText};
use egui_plot::{HLine, HoverPosition, Line, Plot, PlotPoints};

use super::history::{History, SPAN, Sample};
use crate::style;

pub(super) fn show(ui: &mut egui::Ui, world: &World) {
    let history = world.resource::<History>();
    ui.horizontal(|ui| {
        legend(ui, style::SPEED, "speed", history.newest().map(|sample| sample.speed));
        legend(ui, style::FORCE, "force", history.newest().map(|sample| sample.force));
        ui.label(RichText::new("fraction of the limit").small().color(style::FAINT));
    });
    let now = history.newest().map_or(0.0, |sample| sample.time);
    let line = |name: &str, color: Color32, value: fn(&Sample) -> f64| {
        let points = history.samples().map(|sample| [sample.time - now, value(sample) * 100.0]);
        Line::new(name, points.collect::<PlotPoints<'_>>()).color(color).width(1.5)
    };
    let (speed, force) = (
        line("speed", style::SPEED, |sample| sample.speed),
        line("force", style::FORCE, |sample| sample.force),
    );
    Plot::new("history")
        .height(96.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .set_margin_fraction(egui::Vec2::ZERO)
        .default_x_bounds(-SPAN, 0.0)
        .default_y_bounds(0.0, 110.0)
        .auto_bounds(false)
        .show_x(false)
        .show_axes([false, true])
        .y_axis_min_width(34.0)
        .y_axis_formatter(|mark, _| format!("{:.0} %", mark.value))
        .label_formatter(|hover| match hover {
            HoverPosition::NearDataPoint { plot_name, position, .. } => {
                Some(format!("{plot_name} {:.0} %\n{:.1} s", position.y, position.x))
            }
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            plot.hline(HLine::new("limit", 100.0).color(style::FAINT).width(0.5));
            plot.line(force);
            plot.line(speed);
        });
}

fn legend(ui: &mut egui::Ui, color: Color32, name: &str, fraction: Option<f64>) {
    let percent = fraction.map_or(String::new(), |fraction| format!(" {:.0} %", fraction * 100.0));
    ui.label(RichText::new(format!("{name}{percent}")).color(color));
}
