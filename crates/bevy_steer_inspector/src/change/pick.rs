//! A parameter whose value is given by a click in the world.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetPath, PartialReflect},
};
use bevy_egui::egui::{self, RichText};
use bevy_steer::{Bearing, Target};

use super::change::{agents_in_scope, edit};
use crate::{editors::Editors, inspector::Inspector, style};

/// The parameter for which a target is being picked.
#[derive(Clone, Debug, PartialEq)]
pub struct PickRequest {
    /// The component.
    pub component: TypeId,
    /// Its name.
    pub name: &'static str,
    /// The path of the field in it.
    pub path: String,
}

/// What was clicked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Picked {
    /// Nothing but a place.
    Point(Vec3),
    /// An entity.
    Entity(Entity),
}

/// Gives the parameter that waits for it what was picked. Says whether one waited.
pub(crate) fn deliver(world: &mut World, picked: Picked) -> bool {
    let mut inspector = world.resource_mut::<Inspector>();
    let (Some(agent), Some(request)) = (inspector.selected, inspector.pick.take()) else {
        return false;
    };
    let agents = agents_in_scope(world, agent, request.component);
    world.resource_scope(|world, editors: Mut<Editors>| {
        for agent in agents.into_iter().filter(|&agent| picked != Picked::Entity(agent)) {
            let from = world.get::<Transform>(agent).map_or(Vec3::ZERO, |place| place.translation);
            edit(world, &editors.registry, agent, request.component, |component| {
                if let Ok(field) = component.reflect_path_mut(request.path.as_str()) {
                    set(field, picked, from);
                }
            });
        }
    });
    true
}

fn set(field: &mut dyn PartialReflect, picked: Picked, from: Vec3) {
    if let Some(target) = field.try_downcast_mut::<Target>() {
        *target = match picked {
            Picked::Point(point) => Target::Point(point),
            Picked::Entity(entity) => Target::Entity(entity),
        };
    } else if let Some(bearing) = field.try_downcast_mut::<Bearing>() {
        *bearing = match picked {
            Picked::Point(point) => Bearing::Direction(point - from),
            Picked::Entity(entity) => Bearing::Like(entity),
        };
    } else if let (Some(entity), Picked::Entity(picked)) =
        (field.try_downcast_mut::<Entity>(), picked)
    {
        *entity = picked;
    }
}

/// Says what a click is waited for.
pub(super) fn banner(ui: &mut egui::Ui, world: &mut World) {
    let mut inspector = world.resource_mut::<Inspector>();
    let Some(PickRequest { name, path, .. }) = &inspector.pick else { return };
    let text = format!("🎯 Click a place or something in the world for {name}.{path}");
    let mut is_over = ui.input(|input| input.key_pressed(egui::Key::Escape));
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(text).color(style::ACCENT));
        is_over |= ui.small_button("cancel").on_hover_text("Escape").clicked();
    });
    if is_over {
        inspector.pick = None;
    }
}
