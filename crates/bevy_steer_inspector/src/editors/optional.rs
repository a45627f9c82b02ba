//! Editor of optional numbers: a switch, and a slider while it is on.

use core::any::Any;

use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;

use super::{
    editor::Editor,
    number::{FieldName, yardstick},
};
use crate::{
    accessible::name_switch,
    reflection::parameter::{Parameter, factor},
};

impl Editor for Option<f32> {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        env: InspectorUi<'_, '_>,
    ) -> bool {
        let Parameter { unit, when_none, .. } = options.downcast_ref().copied().unwrap_or_default();
        let when_none = when_none.unwrap_or("none");
        ui.horizontal(|ui| {
            let mut is_some = self.is_some();
            let switch = ui.checkbox(&mut is_some, "").on_hover_text(format!("Off: {when_none}"));
            if let Some(FieldName(name)) = ui.data(|data| data.get_temp(egui::Id::NULL)) {
                name_switch(&switch, is_some, &format!("{name} on"));
            }
            if switch.changed() {
                *self = is_some.then(|| (yardstick(ui).typical(unit) / factor(unit)) as f32);
            }
            let edited = match self {
                Some(value) => value.edit(ui, options, id, env),
                None => {
                    ui.weak(when_none);
                    false
                }
            };
            edited || switch.changed()
        })
        .inner
    }
}
