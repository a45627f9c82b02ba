//! Editor of layers: a menu with 32 switches; its button names the layers that are on.

use core::any::Any;

use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::SteeringLayers;

use super::editor::Editor;

impl Editor for SteeringLayers {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        _: &dyn Any,
        _: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        let before = *self;
        ui.menu_button(text(*self), |ui| {
            ui.horizontal(|ui| {
                if ui.button("all").clicked() {
                    *self = Self::ALL;
                }
                if ui.button("none").clicked() {
                    *self = Self(0);
                }
            });
            egui::Grid::new("layers").spacing([2.0, 2.0]).show(ui, |ui| {
                for layer in 0..u32::BITS {
                    let mut is_on = self.0 & (1 << layer) != 0;
                    if ui.toggle_value(&mut is_on, format!("{layer:2}")).changed() {
                        self.0 ^= 1 << layer;
                    }
                    if layer % 8 == 7 {
                        ui.end_row();
                    }
                }
            });
        });
        *self != before
    }
}

fn text(layers: SteeringLayers) -> String {
    let on: Vec<u32> = (0..u32::BITS).filter(|layer| layers.0 & (1 << layer) != 0).collect();
    match on.as_slice() {
        [] => "no layer".into(),
        [one] => format!("layer {one}"),
        all if all.len() == u32::BITS as usize => "all layers".into(),
        [first, .., _] if on.len() > 4 => format!("{} layers from {first}", on.len()),
        some => {
            let names: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!("layers {}", names.join(", "))
        }
    }
}
