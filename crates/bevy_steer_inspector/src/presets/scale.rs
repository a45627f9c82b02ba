//! Scales the lengths of a preset to another body.

use core::any::Any;

use bevy::{
    math::Vec3,
    reflect::{PartialReflect, ReflectMut, TypeRegistry},
};
use bevy_inspector_egui::inspector_options::{ReflectInspectorOptions, Target as Place};
use bevy_steer::{Unit, Vehicle};

use crate::reflection::parameter::Parameter;

/// The ratio of the radius of an agent to that of a preset; 1 where it is not usable.
pub(super) fn factor(preset: Option<&Vehicle>, agent: &Vehicle) -> f32 {
    let Some(preset) = preset else { return 1.0 };
    let factor = agent.radius / preset.radius;
    if factor.is_finite() && factor > 0.0 { factor } else { 1.0 }
}

/// Multiplies all fields of a component that are lengths.
pub(super) fn scale(value: &mut dyn PartialReflect, registry: &TypeRegistry, factor: f32) {
    let info = value.get_represented_type_info();
    let options = info.and_then(|info| {
        registry.get_type_data::<ReflectInspectorOptions>(info.type_id()).map(|options| &options.0)
    });
    let at = |place| options.and_then(|options| options.get(place));
    match value.reflect_mut() {
        ReflectMut::Struct(fields) => {
            for i in 0..fields.field_len() {
                if let Some(field) = fields.field_at_mut(i) {
                    scale_field(field, at(Place::Field(i)), registry, factor);
                }
            }
        }
        ReflectMut::Enum(variant) => {
            let variant_index = variant.variant_index();
            for field_index in 0..variant.field_len() {
                let place = Place::VariantField { variant_index, field_index };
                if let Some(field) = variant.field_at_mut(field_index) {
                    scale_field(field, at(place), registry, factor);
                }
            }
        }
        _ => {}
    }
}

fn scale_field(
    field: &mut dyn PartialReflect,
    options: Option<&dyn Any>,
    registry: &TypeRegistry,
    factor: f32,
) {
    let unit = options.and_then(|options| options.downcast_ref()).map(|it: &Parameter| it.unit);
    if unit != Some(Unit::Length) {
        scale(field, registry, factor);
    } else if let Some(length) = field.try_downcast_mut::<f32>() {
        *length *= factor;
    } else if let Some(Some(length)) = field.try_downcast_mut::<Option<f32>>() {
        *length *= factor;
    } else if let Some(offset) = field.try_downcast_mut::<Vec3>() {
        *offset *= factor;
    }
}
