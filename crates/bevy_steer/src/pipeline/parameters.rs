//! Validates the parameters of behaviours when they are set.

use core::any::TypeId;

use bevy::{
    ecs::{change_detection::ContiguousRef, entity_disabling::Disabled},
    prelude::*,
    reflect::{PartialReflect, ReflectRef},
};

use crate::{
    agent::{blend::Blend, invalid_input::InvalidInputLog},
    behavior::{
        several::Several,
        steering_behavior::SteeringBehavior,
        target::{Target, TargetMemory},
    },
    neighbors::AgentDemand,
    path::Path,
    space::vector::is_valid,
};

/// Validates the parameters of agents that have changed, and notes whether any needs the
/// [`NeighborIndex`](crate::NeighborIndex).
///
/// The component is called `name` in the log.
pub(crate) fn check_parameters<C: Component + Reflect>(
    name: &'static str,
) -> impl FnMut(Agents<C>, ResMut<AgentDemand>, Res<InvalidInputLog>) {
    move |agents, mut demand, invalid_input| check(name, &agents, &mut demand, &invalid_input)
}

/// [`check_parameters`] of a behaviour, as one and as several.
pub(crate) fn check_behaviors<B: SteeringBehavior>(
    agents: Agents<B>,
    several: Agents<Several<B>>,
    mut demand: ResMut<AgentDemand>,
    invalid_input: Res<InvalidInputLog>,
) {
    check(B::name(), &agents, &mut demand, &invalid_input);
    check(B::name(), &several, &mut demand, &invalid_input);
}

/// Includes disabled entities and ones that are not agents yet: no parameter changes when they
/// become agents.
type Agents<'w, 's, C> = Query<'w, 's, (Entity, Ref<'static, C>), AlsoDisabled>;
type AlsoDisabled = Or<(With<Disabled>, Without<Disabled>)>;

fn check<C: Component + Reflect>(
    name: &str,
    agents: &Agents<C>,
    demand: &mut AgentDemand,
    invalid_input: &InvalidInputLog,
) {
    let mut check = |entity, parameters: &C| {
        if is_plain(parameters) {
            return;
        }
        let parameters = parameters.as_partial_reflect();
        let mut wants_index = false;
        if let Some(field) = inspect(parameters, &mut wants_index) {
            // The inspection may have ended before the target.
            wants_index = true;
            let problem = "is NaN or beyond ±1e9; the component is ignored; set a valid value";
            invalid_input.warn(entity, &format!("{name}{field}"), problem);
        }
        if wants_index {
            demand.want_identities();
        }
    };
    let Ok(tables) = agents.contiguous_iter() else {
        // A behaviour of the game in a sparse set.
        let changed = agents.iter().filter(|(_, parameters)| parameters.is_changed());
        return changed.for_each(|(entity, parameters)| check(entity, &parameters));
    };
    for (entities, parameters) in tables {
        let (parameters, ticks) = ContiguousRef::split(parameters);
        // Usually none have changed. All ticks are read, as that needs no branches.
        if ticks.is_changed_iter().fold(false, |any, is_changed| any | is_changed) {
            let rows = entities.iter().zip(parameters).zip(ticks.is_changed_iter());
            rows.filter(|(_, is_changed)| *is_changed)
                .for_each(|((&entity, one), _)| check(entity, one));
        }
    }
}

/// Whether these parameters are certainly valid and do not need the index: a fast check, as a
/// system may set the targets of all agents in each tick.
#[inline(always)]
fn is_plain<C: Reflect>(parameters: &C) -> bool {
    let ReflectRef::Struct(fields) = parameters.reflect_ref() else { return false };
    (0..fields.field_len()).all(|i| fields.field_at(i).is_some_and(is_plain_field))
}

#[inline(always)]
fn is_plain_field(field: &dyn PartialReflect) -> bool {
    let Some(field) = field.try_as_reflect().map(Reflect::as_any) else { return false };
    let kind = field.type_id();
    if kind == TypeId::of::<Target>() {
        return match field.downcast_ref() {
            Some(Target::Point(point)) => point.is_valid(),
            target => target == Some(&Target::None),
        };
    }
    if kind == TypeId::of::<Blend>() {
        return field.downcast_ref().is_some_and(|blend: &Blend| !blend.weight.is_nan());
    }
    if kind == TypeId::of::<f32>() {
        return field.downcast_ref().is_some_and(|number: &f32| !number.is_nan());
    }
    kind == TypeId::of::<TargetMemory>() || kind == TypeId::of::<bool>()
}

/// The path of the first number in `value` that is NaN, or beyond the maximum magnitude in a
/// position: `.target.0.0.x`.
pub(crate) fn invalid_number(value: &dyn PartialReflect) -> Option<String> {
    inspect(value, &mut false)
}

/// The same; and notes whether a [`Target`] before it needs the index.
fn inspect(value: &dyn PartialReflect, wants_index: &mut bool) -> Option<String> {
    if let Some(target) = value.try_downcast_ref::<Target>() {
        *wants_index |= target.range().is_some();
        if let Target::Point(point) = target {
            return point.invalid_coordinate().map(|axis| format!(".0.0.{axis}"));
        }
    }
    if let Some(&number) = value.try_downcast_ref::<f32>() {
        return number.is_nan().then(String::new);
    }
    if let Some(path) = value.try_downcast_ref::<Path>() {
        let index = path.points().iter().position(|&point| !is_valid(point))?;
        return Some(format!("[{index}]"));
    }
    let mut below = |value| inspect(value, wants_index);
    // Names are only assembled if a number is invalid: this runs for every change of a behaviour.
    match value.reflect_ref() {
        ReflectRef::Struct(value) => (0..value.field_len()).find_map(|i| {
            let path = below(value.field_at(i)?)?;
            Some(format!(".{}{path}", value.name_at(i).unwrap_or_default()))
        }),
        ReflectRef::TupleStruct(value) => {
            (0..value.field_len()).find_map(|i| Some(format!(".{i}{}", below(value.field(i)?)?)))
        }
        ReflectRef::Tuple(value) => {
            (0..value.field_len()).find_map(|i| Some(format!(".{i}{}", below(value.field(i)?)?)))
        }
        ReflectRef::Enum(value) => (0..value.field_len()).find_map(|i| {
            let path = below(value.field_at(i)?)?;
            let name = value.name_at(i).map_or_else(|| i.to_string(), str::to_owned);
            Some(format!(".{name}{path}"))
        }),
        ReflectRef::Array(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", below(value.get(i)?)?)))
        }
        ReflectRef::List(value) => {
            (0..value.len()).find_map(|i| Some(format!("[{i}]{}", below(value.get(i)?)?)))
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
        assert_eq!(invalid_number(&seek).unwrap(), ".target.0.0.y");
        let arrive = Arrive::new(Vec3::ZERO).with_profile(ArriveProfile::SlowRadius(f32::NAN));
        assert_eq!(invalid_number(&arrive).unwrap(), ".profile.0");
        assert_eq!(invalid_number(&Seek::new(Vec2::new(0.0, 1e10))).unwrap(), ".target.0.0.y");
        assert_eq!(invalid_number(&Seek::new(Target::from(Vec3::ONE))), None);
        assert_eq!(invalid_number(&vec![[0.0, 1.0], [2.0, f32::NAN]]).unwrap(), "[1][1]");
    }
}
