//! The vehicle of the selected agent, and how it decides between its behaviours.

use core::any::TypeId;

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui;
use bevy_steer::{Arbitration, Vehicle};

use super::{behaviors::draw_component, change::spread};
use crate::editors::Editors;

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    world.resource_scope(|world, editors: Mut<Editors>| {
        component::<Vehicle>(ui, world, &editors.registry, agent, "Vehicle");
        if world.get::<Arbitration>(agent).is_some() {
            ui.label("Arbitration");
            component::<Arbitration>(ui, world, &editors.registry, agent, "Arbitration");
        }
    });
}

fn component<C: Component>(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    name: &str,
) {
    let component = TypeId::of::<C>();
    ui.push_id(name, |ui| {
        let done = draw_component(ui, world, registry, agent, component, name);
        if !done.changed.is_empty() {
            spread(world, registry, agent, component, &done.changed);
        }
    });
}
