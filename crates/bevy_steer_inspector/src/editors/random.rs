//! Random streams have nothing to edit.

use core::any::Any;

use bevy_egui::egui;
use bevy_inspector_egui::reflect_inspector::InspectorUi;
use bevy_steer::RandomStream;

use super::editor::Editor;

impl Editor for RandomStream {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        _: &dyn Any,
        _: egui::Id,
        _: InspectorUi<'_, '_>,
    ) -> bool {
        ui.weak("random stream");
        false
    }
}
