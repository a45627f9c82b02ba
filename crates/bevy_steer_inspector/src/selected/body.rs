//! The vehicle of the selected agent and its arbitration.

use core::any::TypeId;

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{Arbitration, Vehicle};

use super::component;
use crate::{editors::registry::Editors, style};

pub(super) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    world.resource_scope(|world, editors: Mut<Editors>| {
        show_component::<Vehicle>(ui, world, &editors.registry, agent, "Vehicle");
        if world.get::<Arbitration>(agent).is_some() {
            ui.label(RichText::new("Arbitration").color(style::FAINT));
            show_component::<Arbitration>(ui, world, &editors.registry, agent, "Arbitration");
            return;
        }
        let help = "How the behaviours share the force. The agent has no Arbitration component, \
            so it uses the default.";
        let clicked = style::row(ui, "arbitration", Some(help), |ui| {
            ui.weak("Prioritized");
            ui.small_button("change").clicked()
        });
        if clicked {
            world.entity_mut(agent).insert(Arbitration::default());
        }
    });
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
