//! Validates the parameters of behaviours when they are set.

use bevy::{
    ecs::change_detection::ContiguousRef,
    prelude::*,
    reflect::{PartialReflect, ReflectRef},
};

use crate::{
    agent::{invalid_input::InvalidInputLog, vehicle::Vehicle},
    behavior::target::Target,
    neighbors::AgentDemand,
    path::Path,
    simd::vector::MAX_MAGNITUDE,
    space::vector::is_valid,
};

/// Validates the parameters of agents that have changed, and notes whether any needs the
/// [`NeighborIndex`](crate::NeighborIndex).
///
/// The component is called `name` in the log.
pub(crate) fn check_parameters<C: Component + Reflect>(
    name: &'static str,
) -> impl FnMut(Query<(Entity, Ref<C>), With<Vehicle>>, ResMut<AgentDemand>, Res<InvalidInputLog>) {
    move |agents, mut demand, invalid_input| check(name, &agents, &mut demand, &invalid_input)
}

fn check<C: Component + Reflect>(
    name: &str,
    agents: &Query<(Entity, Ref<C>), With<Vehicle>>,
    demand: &mut AgentDemand,
    invalid_input: &InvalidInputLog,
) {
    let mut check = |entity, parameters: &C| {
        let parameters = parameters.as_partial_reflect();
        if let Some(field) = invalid_number(parameters) {
            let problem = "is NaN or beyond ±1e9: it does not steer until the value is valid";
            invalid_input.warn(entity, &format!("{name}{field}"), problem);
        }
        if wants_nearest(parameters) {
            demand.want_identities();
        }
    };
    let Ok(tables) = agents.contiguous_iter() else {
        // A component of a game in a sparse set.
        let changed = agents.iter().filter(|(_, parameters)| parameters.is_changed());
        return changed.for_each(|(entity, parameters)| check(entity, &parameters));
    };
    for (entities, parameters) in tables {
        let (parameters, ticks) = ContiguousRef::split(parameters);
        // Mostly none have changed. All ticks are read, as that needs no branches.
        if ticks.is_changed_iter().fold(false, |any, is_changed| any | is_changed) {
            let rows = entities.iter().zip(parameters).zip(ticks.is_changed_iter());
            rows.filter(|(_, is_changed)| *is_changed)
                .for_each(|((&entity, one), _)| check(entity, one));
        }
    }
}

/// Whether one of the fields is a [`Target::Nearest`].
fn wants_nearest(parameters: &dyn PartialReflect) -> bool {
    let ReflectRef::Struct(parameters) = parameters.reflect_ref() else { return false };
    parameters.iter_fields().any(|(_, field)| {
        matches!(field.try_downcast_ref::<Target>(), Some(Target::Nearest { .. }))
    })
}

/// The path of the first number in `value` that is NaN, or beyond the largest magnitude in a
/// position: `.target.0.x`.
pub(crate) fn invalid_number(value: &dyn PartialReflect) -> Option<String> {
    if let Some(&number) = value.try_downcast_ref::<f32>() {
        return number.is_nan().then(String::new);
    }
    if let Some(&Target::Point(point)) = value.try_downcast_ref::<Target>() {
        let axis = (0..3).find(|&axis| !(-MAX_MAGNITUDE..=MAX_MAGNITUDE).contains(&point[axis]))?;
        return Some(format!(".0.{}", ["x", "y", "z"][axis]));
    }
    if let Some(path) = value.try_downcast_ref::<Path>() {
        let index = path.points().iter().position(|&point| !is_valid(point))?;
        return Some(format!("[{index}]"));
    }
    // Names are only put together after a find: this runs for every change of every behaviour.
    match value.reflect_ref() {
        ReflectRef::Struct(value) => (0..value.field_len()).find_map(|i| {
            let below = invalid_number(value.field_at(i)?)?;
            Some(format!(".{}{below}", value.name_at(i).unwrap_or_default()))
        }),
        ReflectRef::TupleStruct(value) => (0..value.field_len())
            .find_map(|i| Some(format!(".{i}{}", invalid_number(value.field(i)?)?))),
        ReflectRef::Enum(value) => (0..value.field_len()).find_map(|i| {
            let below = invalid_number(value.field_at(i)?)?;
            let name = value.name_at(i).map_or_else(|| i.to_string(), str::to_owned);
            Some(format!(".{name}{below}"))
        }),
        ReflectRef::Array(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", invalid_number(value.get(i)?)?)))
        }
        ReflectRef::List(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", invalid_number(value.get(i)?)?)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arrive, ArriveProfile, Seek, Target};

    #[test]
    fn invalid_numbers_are_named() {
        let seek = Seek::new(Vec3::new(0.0, f32::NAN, 0.0));
        assert_eq!(invalid_number(&seek).unwrap(), ".target.0.y");
        let arrive = Arrive::new(Vec3::ZERO).with_profile(ArriveProfile::SlowRadius(f32::NAN));
        assert_eq!(invalid_number(&arrive).unwrap(), ".profile.0");
        assert_eq!(invalid_number(&Seek::new(Vec2::new(0.0, 1e10))).unwrap(), ".target.0.y");
        assert_eq!(invalid_number(&Seek::new(Target::Point(Vec3::ONE))), None);
        assert_eq!(invalid_number(&vec![[0.0, 1.0], [2.0, f32::NAN]]).unwrap(), "[1][1]");
    }
}
