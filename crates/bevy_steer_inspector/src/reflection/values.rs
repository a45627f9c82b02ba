//! Values of types that are unknown when the crate is compiled: copied and assigned.

use bevy::reflect::{
    PartialReflect, Reflect, ReflectFromReflect, ReflectMut, ReflectRef, TypeInfo, TypeRegistry,
};

use super::kinds::is_state;

/// A copy of a value, if reflection can make one.
pub(crate) fn copy_of(
    registry: &TypeRegistry,
    value: &dyn PartialReflect,
) -> Option<Box<dyn Reflect>> {
    value.reflect_clone().ok().or_else(|| {
        // A struct with a field that is hidden from reflection: the copy has the field's default.
        let type_id = value.get_represented_type_info()?.type_id();
        registry.get_type_data::<ReflectFromReflect>(type_id)?.from_reflect(value)
    })
}

/// Replaces a value by another one of the same type. Returns whether it had the same type.
pub(crate) fn assign(to: &mut dyn PartialReflect, from: Box<dyn Reflect>) -> bool {
    match to.try_as_reflect_mut() {
        Some(to) => to.set(from).is_ok(),
        None => to.try_apply(from.as_partial_reflect()).is_ok(),
    }
}

/// Copies the runtime state of a component to another value of its type. Of several behaviours of
/// one kind, only if their number is the same.
pub(crate) fn keep_state(to: &mut dyn PartialReflect, from: &dyn PartialReflect) {
    let info = from.get_represented_type_info();
    match (to.reflect_mut(), from.reflect_ref(), info) {
        (ReflectMut::Struct(to), ReflectRef::Struct(from), Some(TypeInfo::Struct(info))) => {
            for field in info.iter() {
                let name = field.name();
                let (Some(to), Some(from)) = (to.field_mut(name), from.field(name)) else {
                    continue;
                };
                if !is_state(field) {
                    keep_state(to, from);
                } else if let Ok(state) = from.reflect_clone() {
                    assign(to, state);
                }
            }
        }
        (ReflectMut::TupleStruct(to), ReflectRef::TupleStruct(from), _) => {
            for (i, from) in from.iter_fields().enumerate() {
                if let Some(to) = to.field_mut(i) {
                    keep_state(to, from);
                }
            }
        }
        (ReflectMut::List(to), ReflectRef::List(from), _) if to.len() == from.len() => {
            for (i, from) in from.iter().enumerate() {
                if let Some(to) = to.get_mut(i) {
                    keep_state(to, from);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use bevy_steer::RuntimeState;

    use super::*;

    #[derive(Reflect, Clone, Copy, Debug, PartialEq)]
    struct Guard {
        reach: f32,
        #[reflect(@RuntimeState)]
        is_awake: bool,
    }

    #[derive(Reflect)]
    struct Guards(Vec<Guard>);

    #[test]
    fn state_is_kept_and_parameters_are_not() {
        let old = Guard { reach: 3.0, is_awake: false };
        let now = Guard { reach: 9.0, is_awake: true };
        let expected = Guard { reach: 3.0, is_awake: true };
        let mut guard = old;
        keep_state(&mut guard, &now);
        assert_eq!(guard, expected);
        let mut guards = Guards(vec![old, old]);
        keep_state(&mut guards, &Guards(vec![now, old]));
        assert_eq!(guards.0, [expected, old]);
        let mut other_number = Guards(vec![old]);
        keep_state(&mut other_number, &Guards(vec![now, now]));
        assert_eq!(other_number.0, [old]);
    }

    #[test]
    fn value_of_another_type_is_not_assigned() {
        let mut number = 1.0_f32;
        assert!(!assign(&mut number, Box::new(2_u32)));
        assert!(assign(&mut number, Box::new(2.0_f32)));
        assert_eq!(number, 2.0);
    }
}
