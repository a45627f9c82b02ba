//! Editor of optional numbers: a switch, and a slider while it is on.

use core::any::Any;

use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;

use super::{editor::Editor, number::yardstick};
use crate::reflection::parameter::{Parameter, factor};

impl Editor for Option<f32> {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        env: InspectorUi<'_, '_>,
    ) -> bool {
        ui.horizontal(|ui| {
            let mut is_some = self.is_some();
            let switch = ui.checkbox(&mut is_some, "").on_hover_text("Off: no limit");
            if switch.changed() {
                let unit = options
                    .downcast_ref::<Parameter>()
                    .map(|parameter| parameter.unit)
                    .unwrap_or_default();
                *self = is_some.then(|| (yardstick(ui).typical(unit) / factor(unit)) as f32);
            }
            let edited = match self {
                Some(value) => value.edit(ui, options, id, env),
                None => {
                    ui.weak("none");
                    false
                }
            };
            edited || switch.changed()
        })
        .inner
    }
}
