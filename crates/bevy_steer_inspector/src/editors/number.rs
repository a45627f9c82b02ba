//! Numbers: sliders that show their unit and never change what they only show.

use core::any::Any;

use bevy_egui::egui::{self, SliderClamping};
use bevy_inspector_egui::{
    inspector_options::std_options::NumberOptions, reflect_inspector::InspectorUi,
};

use super::{
    Editor,
    parameter::{Parameter, Unit, Yardstick, round_above},
};

/// The name that assistive technology reads out for the next field. Kept in egui's memory.
#[derive(Clone, Debug)]
pub(crate) struct FieldName(pub(crate) String);

/// What a slider takes beside its track.
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
            Some(options) => within(ui, self, options),
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
        let max = options.downcast_ref::<Parameter>().and_then(|parameter| parameter.max);
        let Some(max) = max else { return ui.add(egui::DragValue::new(self)).changed() };
        ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH).max(40.0);
        let slider = egui::Slider::new(self, 0..=max as u32).clamping(SliderClamping::Never);
        let response = ui.add(slider);
        name(ui, &response, f64::from(*self));
        response.changed()
    }
}

/// A slider for a number with a meaning. Its range is chosen when it is shown first, not while it is dragged.
pub(crate) fn slider(
    ui: &mut egui::Ui,
    value: &mut f32,
    parameter: Parameter,
    id: egui::Id,
) -> bool {
    let Parameter { unit, max, is_strict } = parameter;
    let before = *value;
    if !before.is_finite() {
        return boundless(ui, value, parameter);
    }
    let mut shown = f64::from(before) * unit.factor();
    let max = max.unwrap_or_else(|| fitted_end(ui, id, shown, unit));
    ui.spacing_mut().slider_width = (ui.available_width() - VALUE_WIDTH).max(40.0);
    let slider = egui::Slider::new(&mut shown, 0.0..=max)
        .clamping(if is_strict { SliderClamping::Edits } else { SliderClamping::Never })
        .max_decimals(if max < 1.0 { 3 } else { 2 })
        .suffix(unit.suffix());
    let response = ui.add(slider);
    name(ui, &response, shown);
    let is_new = shown != f64::from(before) * unit.factor();
    if response.changed() && is_new && !shown.is_nan() {
        *value = (shown.max(0.0) / unit.factor()) as f32;
    }
    let is_busy = response.dragged() || response.has_focus() || response.changed();
    if !is_busy && shown > max {
        ui.data_mut(|data| data.remove::<f64>(id));
    }
    *value != before
}

/// What no slider can show is shown as it is, until another value is asked for.
fn boundless(ui: &mut egui::Ui, value: &mut f32, parameter: Parameter) -> bool {
    let sign = if value.is_nan() { "not a number" } else { "∞" };
    ui.label(sign);
    let asked = ui.small_button("set").on_hover_text("Give it a usual value").clicked();
    if asked {
        let yardstick: Yardstick =
            ui.data(|data| data.get_temp(egui::Id::NULL)).unwrap_or_default();
        let usual = parameter.max.map_or(yardstick.usual(parameter.unit), |max| max * 0.25);
        *value = (usual / parameter.unit.factor()) as f32;
    }
    asked
}

/// The upper end of the slider of an agent: remembered, so that it stays while the value changes.
fn fitted_end(ui: &egui::Ui, id: egui::Id, value: f64, unit: Unit) -> f64 {
    ui.data_mut(|data| {
        let yardstick: Yardstick = data.get_temp(egui::Id::NULL).unwrap_or_default();
        let value = if value.is_finite() && value > 0.0 { value } else { yardstick.usual(unit) };
        *data.get_temp_mut_or_insert_with(id, || round_above(value * 4.0))
    })
}

/// A number with the options of `bevy-inspector-egui` on it, as users put on behaviours of their own.
fn within(ui: &mut egui::Ui, value: &mut f32, options: &NumberOptions<f32>) -> bool {
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
    keep_number(value, before);
    response.changed() && *value != before
}

/// A number of which nothing is known: dragging changes it in proportion to itself.
pub(crate) fn drag(ui: &mut egui::Ui, value: &mut f32, suffix: &str) -> bool {
    let before = *value;
    let size = if before.is_finite() { f64::from(before.abs()) } else { 0.0 };
    let number = egui::DragValue::new(value).speed((size * 0.01).max(0.01)).suffix(suffix);
    let response = ui.add(number);
    name(ui, &response, f64::from(*value));
    keep_number(value, before);
    response.changed() && *value != before
}

/// "NaN" can be typed, and is not wanted.
fn keep_number(value: &mut f32, before: f32) {
    if value.is_nan() {
        *value = before;
    }
}

fn name(ui: &egui::Ui, response: &egui::Response, value: f64) {
    let Some(FieldName(name)) = ui.data(|data| data.get_temp(egui::Id::NULL)) else { return };
    response.widget_info(|| egui::WidgetInfo::slider(ui.is_enabled(), value, &name));
}
