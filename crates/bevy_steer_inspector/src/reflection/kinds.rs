//! The kinds of fields: parameters, runtime state, directions, values that hold entities.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{NamedField, PartialReflect, ReflectRef, TypeInfo},
};
use bevy_steer::{Bearing, Help, Path, RandomStream, RuntimeState, Target};

/// Whether a behaviour writes a field itself from tick to tick, so that it is not a parameter.
///
/// The field, its type or that of its items has the attribute [`RuntimeState`], or the field is a
/// [`RandomStream`], which is opaque and cannot have it.
pub(crate) fn is_state(field: &NamedField) -> bool {
    let of_type = field.type_info().is_some_and(is_state_type);
    of_type || field.has_attribute::<RuntimeState>() || field.is::<RandomStream>()
}

/// Whether the values of a type, or its items, are runtime state.
pub(crate) fn is_state_type(info: &TypeInfo) -> bool {
    let attributes = match info {
        TypeInfo::Struct(info) => info.custom_attributes(),
        TypeInfo::TupleStruct(info) => info.custom_attributes(),
        TypeInfo::Enum(info) => info.custom_attributes(),
        TypeInfo::Array(info) => return info.item_info().is_some_and(is_state_type),
        TypeInfo::List(info) => return info.item_info().is_some_and(is_state_type),
        _ => return false,
    };
    attributes.contains::<RuntimeState>()
}

/// Whether a field of this type says what a behaviour is directed at.
pub(crate) fn is_directed(field: TypeId) -> bool {
    [TypeId::of::<Target>(), TypeId::of::<Bearing>(), TypeId::of::<Path>()].contains(&field)
}

/// Whether a component that requires a behaviour sets a field of this type: what the behaviour is
/// directed at, or a place such as that of a slot.
pub(crate) fn is_set_by_others(field: TypeId) -> bool {
    is_directed(field) || field == TypeId::of::<Vec3>()
}

/// The text that explains a field: its attribute [`Help`], else its doc comment.
pub(crate) fn help(field: &NamedField) -> Option<&str> {
    field.get_attribute::<Help>().map(|help| help.0).or_else(|| field.docs())
}

/// Whether a type is a vector or similar: a struct that is edited and saved as one value.
pub(crate) fn is_glam(info: Option<&TypeInfo>) -> bool {
    info.is_some_and(|info| info.type_path_table().crate_name() == Some("glam"))
}

/// Whether a value contains an entity.
pub(crate) fn holds_entity(value: &dyn PartialReflect) -> bool {
    if value.try_downcast_ref::<Entity>().is_some() {
        return true;
    }
    match value.reflect_ref() {
        ReflectRef::Struct(fields) => fields.iter_fields().any(|(_, field)| holds_entity(field)),
        ReflectRef::TupleStruct(fields) => fields.iter_fields().any(holds_entity),
        ReflectRef::Tuple(fields) => fields.iter_fields().any(holds_entity),
        ReflectRef::Enum(variant) => variant.iter_fields().any(|field| holds_entity(field.value())),
        ReflectRef::List(items) => items.iter().any(holds_entity),
        ReflectRef::Array(items) => items.iter().any(holds_entity),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bevy::reflect::Typed;
    use bevy_steer::{Arrive, AvoidObstacles, Wander};

    use super::*;

    fn states<T: Typed>() -> Vec<&'static str> {
        let TypeInfo::Struct(info) = T::type_info() else { panic!("a struct") };
        info.iter().filter(|field| is_state(field)).map(NamedField::name).collect()
    }

    #[test]
    fn state_is_marked_on_fields_or_their_types() {
        assert_eq!(states::<Arrive>(), ["memory"]);
        assert_eq!(states::<Wander>(), ["memory"]);
        assert_eq!(states::<AvoidObstacles>(), ["passing"]);
    }
}
