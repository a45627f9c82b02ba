//! What is checked in a tick, with warnings about what is invalid: agents, and whether it is their
//! turn to think; parameters of behaviours when they are set; bounds of another plane; behaviours
//! that were never registered.

use core::any::TypeId;

use bevy::{
    ecs::{
        archetype::{ArchetypeGeneration, Archetypes},
        change_detection::ContiguousRef,
        component::{ComponentInfo, Components},
        entity_disabling::Disabled,
    },
    prelude::*,
    reflect::{PartialReflect, ReflectRef, TypeInfo, TypeRegistry},
    utils::prelude::ShortName,
};

use crate::{
    agent::{
        AgentColumns, AgentParts, Blend, Contributions, InvalidInputLog, Stage, SteeringSettings,
        TickRef, VehicleBlock,
        contributions::{self, ACTIVE, CHECKED},
    },
    behavior::{AgentBlock, Several, SteeringBehavior, Target, TargetMemory, one_of_several},
    ecs::aligned,
    neighbors::AgentDemand,
    path::Path,
    pipeline::registry::BehaviorRegistry,
    simd::{Arithmetic, Lanes, One, Vector, WIDTH, is_valid, positions, side_by_side},
    space::{Bounds, SteeringPlane, WorldBounds, vector},
};

/// Validates an agent that has not been validated in this tick. Warns of an invalid one.
#[inline(always)]
pub(crate) fn validate_one(parts: &AgentParts, contributions: &mut Contributions, tick: TickRef) {
    if contributions.stage() == Stage::Unchecked {
        contributions.begin(check(parts, tick));
    }
}

/// [`validate_one`] for eight [plain agents](AgentColumns::are_plain). Returns which of them are
/// steered in this tick, one bit each.
#[inline(always)]
pub(crate) fn validate_block<L: Lanes>(
    l: L,
    block: &AgentBlock,
    contributions: &mut [Contributions; WIDTH],
) -> u8 {
    let unchecked = !contributions::with_flag(contributions, CHECKED);
    if unchecked != 0 {
        let AgentBlock { agents, first, tick, .. } = *block;
        let position = positions(l, aligned(agents.transform, first));
        let velocity = side_by_side(l, aligned(agents.velocity, first));
        let valid = l.bits(is_valid_agent(l, position, velocity, block.vehicle(l)));
        if unchecked & valid == u8::MAX {
            let due = block.due();
            for (i, one) in contributions.iter_mut().enumerate() {
                one.begin(stage_of_valid(due >> i & 1 == 1));
            }
            return due;
        }
        validate_each(*agents, first, contributions, *tick);
    }
    contributions::with_flag(contributions, ACTIVE)
}

/// Validates eight agents one by one. Outlined to keep the hot loop in registers.
#[inline(never)]
fn validate_each(
    agents: AgentColumns,
    first: usize,
    contributions: &mut [Contributions; WIDTH],
    tick: TickRef,
) {
    for (i, one) in contributions.iter_mut().enumerate() {
        validate_one(&agents.row::<false>(first + i), one, tick);
    }
}

/// Whether an agent's state and vehicle are within their ranges. The one place where this is
/// decided.
#[inline(always)]
fn is_valid_agent<L: Arithmetic>(
    l: L,
    position: Vector<L>,
    velocity: Vector<L>,
    vehicle: VehicleBlock<L>,
) -> L::M {
    let state = l.and(is_valid(l, position), is_valid(l, velocity));
    l.and(state, vehicle.is_valid(l))
}

#[inline(always)]
fn check(parts: &AgentParts, tick: TickRef) -> Stage {
    let (position, velocity) =
        (parts.transform.translation.to_array(), parts.velocity.0.to_array());
    let is_valid = is_valid_agent(One, position, velocity, parts.vehicle.into())
        & parts.spin.is_none_or(|spin| vector::is_valid(spin.0));
    if is_valid {
        stage_of_valid(parts.think.is_none_or(|think| think.is_due(*parts.id, tick.count)))
    } else {
        warn_invalid(parts, tick.invalid_input);
        Stage::Invalid
    }
}

/// Of a valid agent, by whether it is its turn to think.
#[inline]
fn stage_of_valid(is_due: bool) -> Stage {
    if is_due { Stage::Active } else { Stage::Sleeping }
}

#[cold]
fn warn_invalid(parts: &AgentParts, invalid_input: &InvalidInputLog) {
    let spin = parts.spin.copied().unwrap_or_default().0;
    let vectors = [
        ("Transform.translation", parts.transform.translation),
        ("Velocity", parts.velocity.0),
        ("AngularVelocity", spin),
    ];
    let invalid = vectors.into_iter().find(|&(_, vector)| !vector::is_valid(vector));
    let (field, value) = match invalid {
        Some((field, vector)) => (field, vector.to_string()),
        None => {
            let field = parts.vehicle.invalid_field();
            field.map_or(("Vehicle", String::new()), |(field, value)| (field, value.to_string()))
        }
    };
    let problem = format!("is {value}; the agent does not move; set a valid value");
    invalid_input.warn(parts.entity, field, &problem);
}

/// Validates the parameters of agents that have changed, and notes whether any needs the
/// [`NeighborIndex`](crate::NeighborIndex).
///
/// The component is called `name` in the log.
pub(crate) fn check_parameters<C: Component + Reflect>(
    name: &'static str,
) -> impl FnMut(Agents<C>, ResMut<AgentDemand>, Res<InvalidInputLog>) {
    move |agents, mut demand, invalid_input| {
        check_changed(name, &agents, &mut demand, &invalid_input);
    }
}

/// [`check_parameters`] of a behaviour, as one and as several.
pub(crate) fn check_behaviors<B: SteeringBehavior>(
    agents: Agents<B>,
    several: Agents<Several<B>>,
    mut demand: ResMut<AgentDemand>,
    invalid_input: Res<InvalidInputLog>,
) {
    check_changed(B::name(), &agents, &mut demand, &invalid_input);
    check_changed(B::name(), &several, &mut demand, &invalid_input);
}

/// Includes disabled entities and ones that are not agents yet: no parameter changes when they
/// become agents.
type Agents<'w, 's, C> =
    Query<'w, 's, (Entity, Ref<'static, C>), Or<(With<Disabled>, Without<Disabled>)>>;

fn check_changed<C: Component + Reflect>(
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
        let index = path.points().iter().position(|&point| !vector::is_valid(point))?;
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

const PROBLEM: &str = "is for another plane: it has edges across the plane of the agents, and \
                       none on a side of it; use Bounds::rect in the plane Xy, Bounds::ground in \
                       Xz";

/// Warns of bounds that were made for another plane, once they are set.
pub(crate) fn check_bounds(
    mut is_logged: Local<bool>,
    world: Option<Res<WorldBounds>>,
    agents: Query<(Entity, &Bounds, Option<&SteeringPlane>), Changed<Bounds>>,
    settings: Res<SteeringSettings>,
    invalid_input: Res<InvalidInputLog>,
) {
    if !*is_logged
        && let Some(bounds) = world
        && bounds.is_changed()
        && is_of_another(&bounds, settings.plane)
    {
        *is_logged = true;
        log::warn!("bevy_steer: WorldBounds {PROBLEM}");
    }
    let misplaced = agents.iter().filter(|(_, bounds, plane)| {
        is_of_another(bounds, plane.copied().unwrap_or(settings.plane))
    });
    invalid_input.warn_together(misplaced.map(|(agent, ..)| agent), "Bounds", PROBLEM);
}

/// Whether these are bounds of another plane.
fn is_of_another(bounds: &Bounds, plane: SteeringPlane) -> bool {
    let is_across = (0..3).any(|axis| bounds.has_edge(axis) && plane.normal()[axis] != 0.0);
    plane.is_planar() && is_across && plane.axes().any(|axis| !bounds.has_edge(axis))
}

/// Warns of a component with a field of type [`Blend`] that is not a registered behaviour: it does
/// nothing. Sees what Bevy's type registry knows, which is every component that derives `Reflect`
/// (with Bevy's feature `reflect_auto_register`), or is registered as a type. `Several` of them it
/// knows by name, as Bevy does not register generic types by itself.
pub(crate) fn warn_unregistered(
    mut looked: Local<Option<ArchetypeGeneration>>,
    archetypes: &Archetypes,
    components: &Components,
    types: Option<Res<AppTypeRegistry>>,
    behaviors: Res<BehaviorRegistry>,
    invalid_input: Res<InvalidInputLog>,
) {
    let (Some(types), now) = (types, archetypes.generation()) else { return };
    let before = looked.replace(now).unwrap_or(ArchetypeGeneration::initial());
    if before == now {
        return;
    }
    let types = types.read();
    for archetype in archetypes[before..].iter().filter(|archetype| !archetype.is_empty()) {
        for info in archetype.iter_components().filter_map(|id| components.get_info(id)) {
            let is_known = |kind| {
                behaviors.iter().any(|one| one.type_id == kind || one.several_type_id == kind)
            };
            if info.type_id().is_some_and(is_known) {
                continue;
            }
            let type_name = info.name().to_string();
            let several = one_of_several(&type_name);
            if several.is_some() || has_blend(info, &types) {
                let name = ShortName(several.unwrap_or(&type_name)).to_string();
                let problem = format!(
                    "is not a registered behaviour; it does nothing; call \
                     add_steering_behavior::<{name}>()"
                );
                invalid_input.warn(archetype.entities()[0].id(), &name, &problem);
            }
        }
    }
}

fn has_blend(component: &ComponentInfo, types: &TypeRegistry) -> bool {
    let info = component.type_id().and_then(|kind| types.get_type_info(kind));
    let Some(TypeInfo::Struct(fields)) = info else { return false };
    fields.iter().any(|field| field.type_id() == TypeId::of::<Blend>())
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
