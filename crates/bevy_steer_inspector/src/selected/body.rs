//! The vehicle of the selected agent, its layers and its arbitration.

use core::any::TypeId;

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{Arbitration, SteeringLayers, Vehicle};

use super::component;
use crate::{
    change::{history::remember, memento::Memento},
    editors::registry::Editors,
    reset::with_margin,
    style,
};

pub(super) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    world.resource_scope(|world, editors: Mut<Editors>| {
        with_margin(ui, |ui| rows(ui, world, &editors.registry, agent));
    });
}

fn rows(ui: &mut egui::Ui, world: &mut World, registry: &TypeRegistry, agent: Entity) {
    show_component::<Vehicle>(ui, world, registry, agent, "Vehicle");
    if world.get::<SteeringLayers>(agent).is_some() {
        let help = "The layers that the agent is in, by which others find and avoid it.";
        style::row(ui, "layers", Some(help), |ui| {
            show_component::<SteeringLayers>(ui, world, registry, agent, "SteeringLayers");
        });
    }
    if world.get::<Arbitration>(agent).is_some() {
        ui.label(RichText::new("Arbitration").color(style::FAINT));
        show_component::<Arbitration>(ui, world, registry, agent, "Arbitration");
        return;
    }
    let help = "How the behaviours share the force. The agent has no Arbitration component, \
        so it uses the default.";
    let clicked = style::row(ui, "arbitration", Some(help), |ui| {
        ui.weak("Prioritized");
        ui.small_button("change").clicked()
    });
    if clicked {
        remember(world, "add Arbitration", |world| {
            let component = TypeId::of::<Arbitration>();
            Memento::of_component(world, registry, agent, component).into_iter().collect()
        });
        world.entity_mut(agent).insert(Arbitration::default());
    }
}

fn show_component<C: Component>(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    name: &'static str,
) {
    ui.push_id(name, |ui| {
        component::show(ui, world, registry, agent, TypeId::of::<C>(), "", name);
    });
}
