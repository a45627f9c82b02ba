//! Editor of lengths: a slider, and a button between units and multiples of the radius.

use core::any::Any;

use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::{Length, Unit};

use super::{
    editor::Editor,
    number::{slider, yardstick},
};
use crate::reflection::parameter::Parameter;

impl Editor for Length {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        _: &dyn Any,
        id: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        let radius = yardstick(ui).radius;
        ui.horizontal(|ui| {
            let help = "Switch between world units and multiples of the agent's radius";
            let is_clicked = ui.small_button("↔").on_hover_text(help).clicked();
            let switches = is_clicked && radius > 0.0;
            if switches {
                // The same length in the other measure.
                *self = match *self {
                    Self::Units(units) => Self::Radii(units / radius),
                    Self::Radii(radii) => Self::Units(radii * radius),
                };
            }
            let unit = if matches!(self, Self::Units(_)) { Unit::Length } else { Unit::Radii };
            let parameter = Parameter { unit, ..Parameter::default() };
            slider(ui, self.number_mut(), parameter, id.with(unit)) || switches
        })
        .inner
    }
}
