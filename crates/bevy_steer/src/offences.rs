//! Bad input is named once, in the log, and then left alone.

use std::{collections::HashSet, sync::Mutex};

use bevy::{
    prelude::*,
    reflect::{PartialReflect, ReflectRef},
};

use crate::path::Path;

/// After this many different offences the log stays quiet.
const MOST_LOGGED: usize = 1000;

/// What has been warned of already.
#[derive(Resource, Default)]
pub(crate) struct Offences(Mutex<HashSet<(Entity, String)>>);

impl Offences {
    /// Logs a warning, the first time for this entity and field.
    #[cold]
    pub(crate) fn warn(&self, entity: Entity, field: &str, what: &str) {
        let Ok(mut known) = self.0.lock() else { return };
        if known.len() >= MOST_LOGGED || !known.insert((entity, field.to_owned())) {
            return;
        }
        log::warn!(
            "bevy_steer: entity {entity}: `{field}` {what}; it is left out until this is mended"
        );
        if known.len() == MOST_LOGGED {
            log::warn!(
                "bevy_steer: {MOST_LOGGED} entities or fields make no sense; the rest are not logged"
            );
        }
    }
}

/// The path of the first number in `value` that is none: `.target.0.x`.
pub(crate) fn first_nan(value: &dyn PartialReflect) -> Option<String> {
    if let Some(&number) = value.try_downcast_ref::<f32>() {
        return number.is_nan().then(String::new);
    }
    if let Some(path) = value.try_downcast_ref::<Path>() {
        let index = path.points().iter().position(|point| !point.is_finite())?;
        return Some(format!("[{index}]"));
    }
    // Names are put together only on the way back from a find: this runs for every change of every behaviour.
    match value.reflect_ref() {
        ReflectRef::Struct(value) => (0..value.field_len()).find_map(|i| {
            let below = first_nan(value.field_at(i)?)?;
            Some(format!(".{}{below}", value.name_at(i).unwrap_or_default()))
        }),
        ReflectRef::TupleStruct(value) => (0..value.field_len())
            .find_map(|i| Some(format!(".{i}{}", first_nan(value.field(i)?)?))),
        ReflectRef::Enum(value) => (0..value.field_len()).find_map(|i| {
            let below = first_nan(value.field_at(i)?)?;
            let name = value.name_at(i).map_or_else(|| i.to_string(), str::to_owned);
            Some(format!(".{name}{below}"))
        }),
        ReflectRef::Array(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", first_nan(value.get(i)?)?)))
        }
        ReflectRef::List(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", first_nan(value.get(i)?)?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arrive, ArriveProfile, Seek, Target};

    #[test]
    fn the_field_that_is_not_a_number_is_named() {
        let seek = Seek::new(Vec3::new(0.0, f32::NAN, 0.0));
        assert_eq!(first_nan(&seek).unwrap(), ".target.0.y");
        let arrive = Arrive::new(Vec3::ZERO).with_profile(ArriveProfile::SlowRadius(f32::NAN));
        assert_eq!(first_nan(&arrive).unwrap(), ".profile.0");
        assert_eq!(first_nan(&Seek::new(Target::Point(Vec3::ONE))), None);
        assert_eq!(first_nan(&vec![[0.0, 1.0], [2.0, f32::NAN]]).unwrap(), "[1][1]");
    }
}
