//! Controls of time: pause, single step, speed.

use bevy::{prelude::*, time::Virtual};
use bevy_egui::egui;

use crate::{
    accessible::name_button,
    state::time::{pause_time, step_time},
};

const SLOWEST: f32 = 0.1;
const FASTEST: f32 = 4.0;

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World) {
    if !world.contains_resource::<Time<Virtual>>() {
        return;
    }
    ui.horizontal(|ui| {
        let mut time = world.resource_mut::<Time<Virtual>>();
        let (symbol, help) = if time.is_paused() { ("▶", "Resume") } else { ("⏸", "Pause") };
        let button = ui.button(symbol).on_hover_text(help);
        name_button(&button, help);
        if button.clicked() {
            if time.is_paused() { time.unpause() } else { pause_time(world) }
        }
        let button = ui.button("⏭").on_hover_text("Pause and run one fixed tick");
        name_button(&button, "Step");
        if button.clicked() {
            step_time(world);
        }
        let mut time = world.resource_mut::<Time<Virtual>>();
        let before = time.relative_speed();
        let mut speed = before;
        ui.spacing_mut().slider_width = (ui.available_width() - 96.0).max(40.0);
        let slider = egui::Slider::new(&mut speed, SLOWEST..=FASTEST)
            .logarithmic(true)
            .clamping(egui::SliderClamping::Edits)
            .max_decimals(2)
            .suffix("×");
        let slider = ui.add(slider).on_hover_text("Time scale");
        slider.widget_info(|| egui::WidgetInfo::slider(true, f64::from(before), "Time scale"));
        if slider.changed() && speed.is_finite() && speed > 0.0 {
            time.set_relative_speed(speed);
        }
        let reset = ui.small_button("1×").on_hover_text("Reset to real time");
        if reset.clicked() {
            time.set_relative_speed(1.0);
        }
    });
}
