//! [`Editor`]: a type with an editor of this crate.

use core::any::{Any, TypeId};

use bevy::reflect::{GetTypeRegistration, PartialReflect, Reflect, TypeRegistry};
use bevy_egui::egui;
use bevy_inspector_egui::{
    inspector_egui_impls::InspectorEguiImpl,
    reflect_inspector::{InspectorUi, ProjectorReflect},
};

/// A type with an editor of this crate.
pub(super) trait Editor: Reflect + GetTypeRegistration + Clone {
    /// Edits the value. Returns whether it changed.
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        env: InspectorUi<'_, '_>,
    ) -> bool;
}

/// Makes `bevy-inspector-egui` use the editor of a type.
pub(super) fn add<T: Editor>(registry: &mut TypeRegistry) {
    registry.register::<T>();
    if let Some(registration) = registry.get_mut(TypeId::of::<T>()) {
        registration.insert(InspectorEguiImpl::new(edit_any::<T>, show_any::<T>, edit_many));
    }
}

fn edit_any<T: Editor>(
    value: &mut dyn Any,
    ui: &mut egui::Ui,
    options: &dyn Any,
    id: egui::Id,
    env: InspectorUi<'_, '_>,
) -> bool {
    value.downcast_mut::<T>().is_some_and(|value| value.edit(ui, options, id, env))
}

fn show_any<T: Editor>(
    value: &dyn Any,
    ui: &mut egui::Ui,
    options: &dyn Any,
    id: egui::Id,
    env: InspectorUi<'_, '_>,
) {
    let Some(mut copy) = value.downcast_ref::<T>().cloned() else { return };
    ui.add_enabled_ui(false, |ui| copy.edit(ui, options, id, env));
}

/// Never used: the panel copies a change to other agents itself.
fn edit_many(
    _: &mut egui::Ui,
    _: &dyn Any,
    _: egui::Id,
    _: InspectorUi<'_, '_>,
    _: &mut [&mut dyn PartialReflect],
    _: &dyn ProjectorReflect,
) -> bool {
    false
}
