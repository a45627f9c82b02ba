//! From reflection attributes of fields to options of `bevy-inspector-egui`.

use core::ops::RangeInclusive;

use bevy::reflect::{
    NamedField, TypeInfo, TypeRegistry, UnnamedField, attributes::CustomAttributes,
    enums::VariantInfo,
};
use bevy_inspector_egui::{
    InspectorOptions,
    inspector_options::{ReflectInspectorOptions, Target as Place},
};
use bevy_steer::{ParameterRange, Unit, WhenNone};

use super::parameter::Parameter;

/// Gives every field with a [`Unit`], a [`ParameterRange`] or a [`WhenNone`] its [`Parameter`] as
/// an option.
///
/// Options that a type has already, from the derive macro of `bevy-inspector-egui`, are kept.
pub(crate) fn install(registry: &mut TypeRegistry) {
    for registration in registry.iter_mut() {
        let described = described_fields(registration.type_info());
        if described.is_empty() {
            continue;
        }
        let mut options = match registration.data::<ReflectInspectorOptions>() {
            Some(options) => options.0.clone(),
            None => InspectorOptions::new(),
        };
        for (place, parameter) in described {
            options.insert(place, parameter);
        }
        registration.insert(ReflectInspectorOptions(options));
    }
}

fn described_fields(info: &TypeInfo) -> Vec<(Place, Parameter)> {
    let attributes: Vec<&CustomAttributes> = match info {
        TypeInfo::Struct(info) => info.iter().map(NamedField::custom_attributes).collect(),
        TypeInfo::TupleStruct(info) => info.iter().map(UnnamedField::custom_attributes).collect(),
        TypeInfo::Enum(info) => {
            return info.iter().enumerate().flat_map(variant_fields).collect();
        }
        _ => return Vec::new(),
    };
    let fields = attributes.into_iter().enumerate();
    fields.filter_map(|(i, attributes)| Some((Place::Field(i), describe(attributes)?))).collect()
}

fn variant_fields((variant_index, info): (usize, &VariantInfo)) -> Vec<(Place, Parameter)> {
    let attributes: Vec<&CustomAttributes> = match info {
        VariantInfo::Struct(info) => info.iter().map(NamedField::custom_attributes).collect(),
        VariantInfo::Tuple(info) => info.iter().map(UnnamedField::custom_attributes).collect(),
        VariantInfo::Unit(_) => Vec::new(),
    };
    let fields = attributes.into_iter().enumerate();
    let described = fields.filter_map(|(field_index, attributes)| {
        Some((Place::VariantField { variant_index, field_index }, describe(attributes)?))
    });
    described.collect()
}

/// What the attributes of a field say. A plain `RangeInclusive<f32>`, Bevy's own example of a
/// custom attribute, is a strict range.
pub(crate) fn describe(attributes: &CustomAttributes) -> Option<Parameter> {
    let unit = attributes.get::<Unit>().copied();
    let plain = attributes.get::<RangeInclusive<f32>>();
    let plain = plain.map(|range| ParameterRange::between(*range.start(), *range.end()));
    let range = attributes.get::<ParameterRange>().copied().or(plain);
    let when_none = attributes.get::<WhenNone>().map(|text| text.0);
    (unit.is_some() || range.is_some() || when_none.is_some()).then(|| Parameter {
        unit: unit.unwrap_or_default(),
        range,
        when_none,
    })
}

#[cfg(test)]
mod tests {
    use core::any::TypeId;

    use bevy::prelude::*;
    use bevy_steer::{ArriveProfile, Flock, Length};

    use super::*;

    #[derive(Reflect)]
    struct Own {
        #[reflect(@0.5..=2.0_f32)]
        plain: f32,
        other: f32,
    }

    fn parameter<T: 'static>(registry: &TypeRegistry, place: Place) -> Option<Parameter> {
        let options = registry.get_type_data::<ReflectInspectorOptions>(TypeId::of::<T>())?;
        options.0.get(place)?.downcast_ref().copied()
    }

    #[test]
    fn attributes_become_options() {
        let mut registry = TypeRegistry::empty();
        registry.register::<Flock>();
        registry.register::<ArriveProfile>();
        registry.register::<Own>();
        install(&mut registry);
        // A length, which is a number in one of two units.
        for (variant_index, unit) in [Unit::Length, Unit::Radii].into_iter().enumerate() {
            let place = Place::VariantField { variant_index, field_index: 0 };
            let radius = parameter::<Length>(&registry, place).unwrap();
            assert_eq!((radius.unit, radius.range), (unit, None));
        }
        let place = Place::VariantField { variant_index: 1, field_index: 0 };
        let time = parameter::<ArriveProfile>(&registry, place).unwrap();
        assert_eq!((time.unit, time.range), (Unit::Time, Some(ParameterRange::up_to(3.0))));
        let plain = parameter::<Own>(&registry, Place::Field(0)).unwrap();
        assert_eq!(plain.range, Some(ParameterRange::between(0.5, 2.0)));
        assert!(parameter::<Own>(&registry, Place::Field(1)).is_none());
    }
}
