//! [`Editors`]: how each type of parameter is edited.
//!
//! Components are drawn by `bevy-inspector-egui` from what reflection knows. This folder adds what that does not have:
//! sliders with units, targets that are picked in the world, layers, distances that may be absent.

pub(crate) mod entity;
mod layers;
pub(crate) mod number;
mod optional;
pub(crate) mod parameter;
mod path;
mod random;
pub(crate) mod table;
mod target;

use core::any::{Any, TypeId};

use bevy::{
    prelude::*,
    reflect::{GetTypeRegistration, PartialReflect, Reflect, TypeRegistry},
};
use bevy_egui::egui;
use bevy_inspector_egui::{
    inspector_egui_impls::InspectorEguiImpl,
    reflect_inspector::{InspectorUi, ProjectorReflect},
};
use bevy_steer::{Bearing, BehaviorRegistry, Path, RandomStream, SteeringLayers, Target};

/// The app's type registry with this crate's editors in it.
///
/// A copy, so that other inspectors of the app keep the editors they have.
#[derive(Resource, Default)]
pub(crate) struct Editors {
    pub(crate) registry: TypeRegistry,
    behaviors: usize,
}

impl Editors {
    /// Copies the registry again if behaviours have been registered since.
    pub(crate) fn refresh(world: &mut World) {
        let behaviors =
            world.get_resource::<BehaviorRegistry>().map_or(0, |all| all.iter().count());
        if world.resource::<Self>().behaviors == behaviors && behaviors > 0 {
            return;
        }
        let mut registry = TypeRegistry::empty();
        for registration in world.resource::<AppTypeRegistry>().read().iter() {
            registry.add_registration(registration.clone());
        }
        install(&mut registry);
        table::install(&mut registry);
        world.insert_resource(Self { registry, behaviors });
    }
}

/// A type with an editor of this crate.
trait Editor: Reflect + GetTypeRegistration + Clone {
    /// Edits the value, and says whether it has changed it.
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        env: InspectorUi<'_, '_>,
    ) -> bool;
}

fn install(registry: &mut TypeRegistry) {
    add::<f32>(registry);
    add::<u32>(registry);
    add::<Option<f32>>(registry);
    add::<Entity>(registry);
    add::<SteeringLayers>(registry);
    add::<Path>(registry);
    add::<RandomStream>(registry);
    add::<Target>(registry);
    add::<Bearing>(registry);
    registry.register::<Name>();
}

fn add<T: Editor>(registry: &mut TypeRegistry) {
    registry.register::<T>();
    if let Some(registration) = registry.get_mut(TypeId::of::<T>()) {
        registration.insert(InspectorEguiImpl::new(edit_any::<T>, show_any::<T>, edit_none));
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

/// Many values at a time: the panel writes what was changed of one to the others itself.
fn edit_none(
    _: &mut egui::Ui,
    _: &dyn Any,
    _: egui::Id,
    _: InspectorUi<'_, '_>,
    _: &mut [&mut dyn PartialReflect],
    _: &dyn ProjectorReflect,
) -> bool {
    false
}
