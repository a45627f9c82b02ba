//! Editors of targets and bearings: the kind and its values.

use core::any::Any;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_inspector_egui::{
    InspectorOptions, inspector_options::Target as Place, reflect_inspector::InspectorUi,
};
use bevy_steer::{Bearing, Point, SteeringLayers, Target};

use super::{
    editor::Editor,
    entity::{name, pick_button, request_pick},
    number::drag,
};
use crate::reflection::parameter::Parameter;

/// The indices of these variants of [`Target`].
const NEAREST: usize = 3;
const ALL: usize = 4;

impl Editor for Target {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        mut env: InspectorUi<'_, '_>,
    ) -> bool {
        let mut changed = false;
        ui.vertical(|ui| {
            ui.horizontal(|ui| {
                let chosen = match self {
                    Self::None => 0,
                    Self::Point(_) => 1,
                    Self::Entity(_) => 2,
                    Self::Nearest { .. } => NEAREST,
                    Self::All { .. } => ALL,
                };
                match choose(ui, id, ["None", "Point", "Entity", "Nearest", "All"], chosen) {
                    Some(0) => (*self, changed) = (Self::None, true),
                    Some(1) => (*self, changed) = (Self::Point(Vec3::ZERO.into()), true),
                    // The entity is chosen by a click in the world.
                    Some(2) => request_pick(ui),
                    Some(kind) => {
                        let layers = SteeringLayers::default();
                        let search = if kind == NEAREST { Self::nearest } else { Self::all };
                        (*self, changed) = (search(layers, f32::INFINITY), true);
                    }
                    None => {}
                }
                pick_button(ui);
            });
            match self {
                Self::None => {}
                Self::Point(point) => changed |= coordinates(ui, point),
                Self::Entity(entity) => {
                    ui.add(egui::Label::new(name(&mut env, *entity)).truncate());
                }
                Self::Nearest { layers, within, switch_ratio } => {
                    changed |= layers.edit(ui, &(), id.with("layers"), env.reborrow());
                    let parameter = variant_parameter(options, NEAREST, 1);
                    changed |= distance(ui, within, parameter, id.with("within"), env.reborrow());
                    let parameter = variant_parameter(options, NEAREST, 2);
                    changed |= switch_ratio.edit(ui, &parameter, id.with("switch_ratio"), env);
                }
                Self::All { layers, within } => {
                    changed |= layers.edit(ui, &(), id.with("layers"), env.reborrow());
                    let parameter = variant_parameter(options, ALL, 1);
                    changed |= distance(ui, within, parameter, id.with("within"), env);
                }
            }
        });
        changed
    }
}

impl Editor for Bearing {
    fn edit(
        &mut self,
        ui: &mut egui::Ui,
        options: &dyn Any,
        id: egui::Id,
        mut env: InspectorUi<'_, '_>,
    ) -> bool {
        let mut changed = false;
        ui.vertical(|ui| {
            ui.horizontal(|ui| {
                let chosen = match self {
                    Self::Angle(_) => 0,
                    Self::Direction(_) => 1,
                    Self::Like(_) => 2,
                };
                match choose(ui, id, ["Angle", "Direction", "Like"], chosen) {
                    Some(0) => (*self, changed) = (Self::Angle(0.0), true),
                    Some(1) => (*self, changed) = (Self::Direction(Vec3::X.into()), true),
                    Some(_) => request_pick(ui),
                    None => {}
                }
                pick_button(ui);
            });
            match self {
                Self::Angle(angle) => {
                    let parameter = variant_parameter(options, 0, 0);
                    changed |= angle.edit(ui, &parameter, id.with("angle"), env);
                }
                Self::Direction(direction) => changed |= coordinates(ui, direction),
                Self::Like(entity) => {
                    ui.add(egui::Label::new(name(&mut env, *entity)).truncate());
                }
            }
        });
        changed
    }
}

/// A menu of kinds. Returns the new one when another is chosen.
fn choose<const N: usize>(
    ui: &mut egui::Ui,
    id: egui::Id,
    names: [&str; N],
    chosen: usize,
) -> Option<usize> {
    let mut new = None;
    egui::ComboBox::from_id_salt(id.with("kind")).selected_text(names[chosen]).show_ui(ui, |ui| {
        for (i, name) in names.into_iter().enumerate() {
            if ui.selectable_label(i == chosen, name).clicked() && i != chosen {
                new = Some(i);
            }
        }
    });
    new
}

/// The coordinates of a point: three in the world, two in a plane.
pub(super) fn numbers(point: &mut Point) -> Vec<&mut f32> {
    match point {
        Point::World(Vec3 { x, y, z }) => vec![x, y, z],
        Point::Plane(Vec2 { x, y }) => vec![x, y],
    }
}

fn coordinates(ui: &mut egui::Ui, point: &mut Point) -> bool {
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().interact_size.x = ((ui.available_width() - 6.0) / 3.0).min(62.0);
        for value in numbers(point) {
            changed |= drag(ui, value, "");
        }
    });
    changed
}

/// A distance that may be infinite.
fn distance(
    ui: &mut egui::Ui,
    value: &mut f32,
    parameter: Parameter,
    id: egui::Id,
    env: InspectorUi<'_, '_>,
) -> bool {
    let mut limit = value.is_finite().then_some(*value);
    let changed = limit.edit(ui, &parameter, id, env);
    if changed {
        *value = limit.unwrap_or(f32::INFINITY);
    }
    changed
}

/// The unit and range of a field of a variant.
fn variant_parameter(options: &dyn Any, variant_index: usize, field_index: usize) -> Parameter {
    let place = Place::VariantField { variant_index, field_index };
    let options = options.downcast_ref::<InspectorOptions>();
    let parameter = options.and_then(|options| options.get(place)?.downcast_ref().copied());
    parameter.unwrap_or_default()
}
