//! The menu of behaviours to add.

use bevy::{
    prelude::*,
    reflect::{ReflectRef, TypeRegistry, std_traits::ReflectDefault},
};
use bevy_egui::egui;
use bevy_steer::{RegisteredBehavior, Target};

use super::{card::NewCard, forces::name_at};
use crate::{
    change::behaviors::{add, can_be_added},
    state::inspector::{Inspector, PickRequest},
};

/// Shows the menu. If the agent already has a behaviour it gets another one.
pub(super) fn show(
    ui: &mut egui::Ui,
    world: &mut World,
    registry: &TypeRegistry,
    agent: Entity,
    known: &[RegisteredBehavior],
) {
    ui.menu_button("+ Add behaviour", |ui| {
        for behavior in known {
            let has = world.get_entity(agent).is_ok_and(|entity| behavior.has(entity));
            let name = behavior.name;
            let text = if has { format!("{name}, another") } else { name.to_owned() };
            let is_possible = can_be_added(registry, behavior);
            let button = ui.add_enabled(is_possible, egui::Button::new(text));
            if button.clicked() {
                let added = add(world, registry, agent, behavior);
                world.insert_resource(NewCard(added));
                if let Some((component, place)) = added {
                    let target = unset_target(registry, behavior);
                    world.resource_mut::<Inspector>().pick = target.map(|target| {
                        let path = place.map_or(target.clone(), |at| format!("0[{at}].{target}"));
                        PickRequest { component, name: name_at(name, place), path }
                    });
                }
                ui.close();
            }
            button.on_disabled_hover_text(
                "Cannot be added here: its type needs #[reflect(Component, Default)].",
            );
        }
    });
}

/// The field of a new behaviour that has no target yet, without which it does nothing. The next
/// click in the world sets it, and gizmos draw it.
fn unset_target(registry: &TypeRegistry, behavior: &RegisteredBehavior) -> Option<String> {
    let default = registry.get_type_data::<ReflectDefault>(behavior.type_id)?.default();
    let ReflectRef::Struct(fields) = default.reflect_ref() else { return None };
    let is_unset = |value: Option<&Target>| value == Some(&Target::None);
    let mut fields = fields.iter_fields();
    let (name, _) = fields.find(|(_, value)| is_unset(value.try_downcast_ref()))?;
    Some(name.to_owned())
}
