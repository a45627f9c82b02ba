//! The vehicle of the selected agent, and how it decides between its behaviours.

use core::any::TypeId;

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{Arbitration, Vehicle};

use super::{behaviors::draw_component, change::spread};
use crate::{editors::Editors, style};

pub(crate) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    world.resource_scope(|world, editors: Mut<Editors>| {
        component::<Vehicle>(ui, world, &editors.registry, agent, "Vehicle");
        if world.get::<Arbitration>(agent).is_some() {
            ui.label(RichText::new("Arbitration").color(style::FAINT));
            component::<Arbitration>(ui, world, &editors.registry, agent, "Arbitration");
            return;
        }
        let help = "How it decides between its behaviours. It has none of its own: tier by tier.";
        let asked = style::row(ui, "arbitration", Some(help), |ui| {
            ui.weak("Prioritized");
            ui.small_button("change").clicked()
        });
        if asked {
            world.entity_mut(agent).insert(Arbitration::default());
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
