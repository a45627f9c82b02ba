//! Editors of numbers: sliders with units. Showing a value never changes it.

use core::any::Any;

use bevy_egui::egui::{self, SliderClamping};
use bevy_inspector_egui::{
    inspector_options::std_options::NumberOptions, reflect_inspector::InspectorUi,
};
use bevy_steer::Unit;

use super::editor::Editor;
use crate::reflection::parameter::{Parameter, Yardstick, factor, round_up, suffix};

/// The accessible name of the next field. Kept in egui's memory.
#[derive(Clone, Debug)]
pub(crate) struct FieldName(pub(crate) String);

/// The width of the value beside the track of a slider.
const VALUE_WIDTH: f32 = 92.0;

impl Editor for f32 {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        if let Some(&parameter) = options.downcast_ref::<Parameter>() {
            return slider(ui, self, parameter, id);
        }
        match options.downcast_ref::<NumberOptions<f32>>() {
            Some(options) => with_options(ui, self, options),
            None => drag(ui, self, ""),
        }
    }
}

impl Editor for u32 {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        _: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        let range = options.downcast_ref::<Parameter>().and_then(|parameter| parameter.range);
        let Some(range) = range else { return ui.add(egui::DragValue::new(self)).changed() };
        ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH).max(40.0);
        let slider = egui::Slider::new(self, range.min as u32..=range.max as u32)
            .logarithmic(range.logarithmic)
            .clamping(clamping(range.strict));
        let response = ui.add(slider);
        name(ui, &response, f64::from(*self));
        response.changed()
    }
}

fn clamping(is_strict: bool) -> SliderClamping {
    if is_strict { SliderClamping::Edits } else { SliderClamping::Never }
}

/// A slider for a number with a known unit or range. A range that is fitted to the value is chosen
/// when the slider is first shown, and does not change while it is dragged.
pub(crate) fn slider(
    ui: &mut egui::Ui,
    value: &mut f32,
    parameter: Parameter,
    id: egui::Id,
) -> bool {
    let unit = parameter.unit;
    let before = *value;
    if !before.is_finite() {
        return non_finite(ui, value, parameter);
    }
    let mut shown = f64::from(before) * factor(unit);
    let (min, max) =
        parameter.shown_range().unwrap_or_else(|| (0.0, fitted_end(ui, id, shown, unit)));
    let decimals = if max < 1.0 { 3 } else { 2 };
    let longest = format!("{:.decimals$}{}", shown.max(max), suffix(unit));
    ui.spacing_mut().slider_width = track_width(ui, longest);
    let slider = egui::Slider::new(&mut shown, min..=max)
        .logarithmic(parameter.range.is_some_and(|range| range.logarithmic))
        .clamping(clamping(parameter.range.is_some_and(|range| range.strict)))
        .max_decimals(decimals)
        .suffix(suffix(unit));
    let response = ui.add(slider);
    name(ui, &response, shown);
    let is_new = shown != f64::from(before) * factor(unit);
    if response.changed() && is_new && !shown.is_nan() {
        *value = (shown.max(min) / factor(unit)) as f32;
    }
    let is_busy = response.dragged() || response.has_focus() || response.changed();
    if !is_busy && shown > max {
        ui.data_mut(|data| data.remove::<f64>(id));
    }
    *value != before
}

/// The width that is left for the track of a slider beside a value with this text.
fn track_width(ui: &egui::Ui, longest: String) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(longest, font, egui::Color32::WHITE).size().x;
    let spacing = ui.spacing();
    let value = text + 2.0 * spacing.button_padding.x + spacing.item_spacing.x;
    (ui.available_width() - value.max(VALUE_WIDTH)).max(40.0)
}

/// The size of the selected agent.
pub(crate) fn yardstick(ui: &egui::Ui) -> Yardstick {
    ui.data(|data| data.get_temp(egui::Id::NULL)).unwrap_or_default()
}

/// A value that no slider can show, with a button that replaces it.
fn non_finite(ui: &mut egui::Ui, value: &mut f32, parameter: Parameter) -> bool {
    let text = if value.is_nan() { "not a number" } else { "∞" };
    ui.label(text);
    let clicked = ui.small_button("set").on_hover_text("Replace with a typical value").clicked();
    if clicked {
        let typical = match parameter.shown_range() {
            Some((min, max)) => min + (max - min) * 0.25,
            None => yardstick(ui).typical(parameter.unit),
        };
        *value = (typical / factor(parameter.unit)) as f32;
    }
    clicked
}

/// The upper end of a slider without a range. It is remembered, so that it does not move with the
/// value.
fn fitted_end(ui: &egui::Ui, id: egui::Id, value: f64, unit: Unit) -> f64 {
    let is_usable = value.is_finite() && value > 0.0;
    let value = if is_usable { value } else { yardstick(ui).typical(unit) };
    ui.data_mut(|data| *data.get_temp_mut_or_insert_with(id, || round_up(value * 4.0)))
}

/// A number with the options of `bevy-inspector-egui`, which a game's behaviour may have.
fn with_options(ui: &mut egui::Ui, value: &mut f32, options: &NumberOptions<f32>) -> bool {
    let (Some(min), Some(max)) = (options.min, options.max) else {
        let changed = drag(ui, value, &options.suffix);
        if changed && let Some(min) = options.min {
            *value = value.max(min);
        }
        if changed && let Some(max) = options.max {
            *value = value.min(max);
        }
        return changed;
    };
    let before = *value;
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH).max(40.0);
    let slider = egui::Slider::new(value, min..=max)
        .clamping(SliderClamping::Edits)
        .prefix(&options.prefix)
        .suffix(&options.suffix);
    let response = ui.add(slider);
    name(ui, &response, f64::from(*value));
    reject_nan(value, before);
    response.changed() && *value != before
}

/// A number without unit or range. Dragging changes it in proportion to its size.
pub(crate) fn drag(ui: &mut egui::Ui, value: &mut f32, suffix: &str) -> bool {
    let before = *value;
    let size = if before.is_finite() { f64::from(before.abs()) } else { 0.0 };
    let number = egui::DragValue::new(value).speed((size * 0.01).max(0.01)).suffix(suffix);
    let response = ui.add(number);
    name(ui, &response, f64::from(*value));
    reject_nan(value, before);
    response.changed() && *value != before
}

/// Undoes a "NaN" that was typed.
fn reject_nan(value: &mut f32, before: f32) {
    if value.is_nan() {
        *value = before;
    }
}

fn name(ui: &egui::Ui, response: &egui::Response, value: f64) {
    let Some(FieldName(name)) = ui.data(|data| data.get_temp(egui::Id::NULL)) else { return };
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), value, &name));
}
