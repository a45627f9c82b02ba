//! The behaviours of the selected agent: a card for each, and a menu that adds more.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_steer::{BehaviorRegistry, RegisteredBehavior};

use super::{add_menu, card::Card};
use crate::{editors::registry::Editors, sections::gizmos::behavior_color};

pub(super) fn show(ui: &mut egui::Ui, world: &mut World, agent: Entity) {
    let Some(known) = world.get_resource::<BehaviorRegistry>() else {
        ui.label("The app has no SteeringPlugin: add it to see behaviours.");
        return;
    };
    let known: Vec<RegisteredBehavior> = known.iter().copied().collect();
    world.resource_scope(|world, editors: Mut<Editors>| {
        for (index, behavior) in known.iter().enumerate() {
            for place in places(world, agent, behavior) {
                let card = Card::new(agent, behavior, place);
                ui.push_id((behavior.type_id, place), |ui| {
                    card.show(ui, world, &editors.registry, behavior_color(world, index));
                });
            }
        }
        add_menu::show(ui, world, &editors.registry, agent, &known);
    });
}

/// The places of the behaviours of a kind that an agent has: `None` for the component itself, then
/// those of [`Several`](bevy_steer::Several).
pub(super) fn places(
    world: &World,
    agent: Entity,
    behavior: &RegisteredBehavior,
) -> Vec<Option<usize>> {
    let Ok(entity) = world.get_entity(agent) else { return Vec::new() };
    let has = |place: &Option<usize>| behavior.blend_at(entity, *place).is_some();
    let single = Some(None).filter(has);
    single.into_iter().chain((0..).map(Some).take_while(has)).collect()
}
