//! [`write_code`]: the code that spawns an agent as it is, to paste into a game what was tuned
//! while it ran.

use core::any::TypeId;
use std::collections::HashSet;

use bevy::{
    ecs::relationship::RelationshipAccessor,
    prelude::*,
    reflect::{PartialReflect, TypeRegistry, std_traits::ReflectDefault},
};
use bevy_steer::{
    AngularLimits, AngularVelocity, Arbitration, BehaviorRegistry, Bounds, KeepRotation, Obstacle,
    SkipIntegration, SteeringHeight, SteeringLayers, SteeringPlane, ThinkEvery, Vehicle, WhenIdle,
};

use super::{asset::UsePreset, code_writer::CodeWriter, preset::PresetError, value_writer::Role};
use crate::{
    change::{
        behaviors::has_turning_behavior,
        required::{other_components, required_by, required_by_others},
    },
    editors::registry::Editors,
    reflection::kinds::is_state_type,
};

/// In which way an agent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A bundle of Rust structs, for `Commands::spawn`.
    Rust,
    /// A scene, for Bevy's macro `bsn!`.
    Bsn,
}

/// Writes the components with which a game spawns an agent: its body, how it decides, what it has
/// of the crates for navigation, formations and physics, and its behaviours. With `only`, that
/// behaviour alone.
///
/// Left out are fields with their default values, runtime state, and what a behaviour is directed
/// at where another component requires the behaviour, such as a planner, which says that.
/// Components of a game that are no behaviours are left out too.
///
/// Comments at the top have the `use` lines, and name what cannot be written. An entity is written
/// as `Entity::PLACEHOLDER`, and a comment says that the game has to set it.
///
/// # Errors
/// If the entity does not exist, or the app has no [`SteeringPlugin`](bevy_steer::SteeringPlugin).
pub fn write_code(
    world: &mut World,
    agent: Entity,
    language: Language,
    only: Option<TypeId>,
) -> Result<String, PresetError> {
    Editors::refresh(world);
    let registry = &world.resource::<Editors>().registry;
    let known = world.get_resource::<BehaviorRegistry>();
    let known = known.ok_or_else(|| PresetError::new("the app has no SteeringPlugin"))?;
    let entity =
        world.get_entity(agent).map_err(|_| PresetError::new("the agent no longer exists"))?;
    let mut writer = CodeWriter::new(registry, language);
    let required = required_by_others(world, entity);
    // What the components that are written bring along.
    let mut implied = HashSet::new();
    if only.is_none() {
        let others = of_other_crates(world, registry, entity, &required);
        for component in of_the_agent().into_iter().chain(others) {
            if let Some(value) = reflected(registry, entity, component) {
                writer.component(value);
                implied.extend(required_by(world, component));
            }
        }
        // It is runtime state, but that an agent has it says how it turns.
        let turning = TypeId::of::<AngularVelocity>();
        let is_implied = implied.contains(&turning) || has_turning_behavior(world, agent);
        if let Some(turning) = reflected(registry, entity, turning).filter(|_| !is_implied) {
            writer.default_of(turning);
        }
    }
    let is_chosen = |component: TypeId| {
        only.is_none_or(|only| only == component) && entity.contains_type_id(component)
    };
    for behavior in known.iter() {
        let (one, several) = (behavior.type_id, behavior.several_type_id);
        if is_chosen(one) {
            let value = reflected(registry, entity, one);
            let role = if required.contains(&one) { Role::Directed } else { Role::Behavior };
            let changed = value.and_then(|value| writer.values.changed(value, role));
            let is_implied =
                implied.contains(&one) && changed.is_some_and(|fields| fields.is_empty());
            if !is_implied {
                writer.behavior(behavior, value, role);
            }
        }
        if is_chosen(several) {
            writer.several(behavior, reflected(registry, entity, several));
        }
    }
    Ok(writer.finish())
}

/// What a game may set of an agent besides its behaviours.
fn of_the_agent() -> [TypeId; 12] {
    [
        TypeId::of::<Vehicle>(),
        TypeId::of::<AngularLimits>(),
        TypeId::of::<SteeringHeight>(),
        TypeId::of::<SteeringLayers>(),
        TypeId::of::<SteeringPlane>(),
        TypeId::of::<Bounds>(),
        TypeId::of::<ThinkEvery>(),
        TypeId::of::<WhenIdle>(),
        TypeId::of::<KeepRotation>(),
        TypeId::of::<SkipIntegration>(),
        TypeId::of::<Arbitration>(),
        TypeId::of::<Obstacle>(),
    ]
}

/// The components of the other crates of `bevy_steer` that are no behaviours and that a game sets,
/// by name. Not among them are runtime state, and those that another component brings along as they
/// are.
fn of_other_crates(
    world: &World,
    registry: &TypeRegistry,
    entity: EntityRef,
    required: &HashSet<TypeId>,
) -> Vec<TypeId> {
    let mut chosen = Vec::new();
    for info in other_components(world, entity) {
        let Some(registration) = info.type_id().and_then(|component| registry.get(component))
        else {
            continue;
        };
        let (component, of) = (registration.type_id(), registration.type_info());
        let crate_name = of.type_path_table().crate_name();
        // A preset would replace the behaviours that are written.
        let is_ours = crate_name.is_some_and(|name| name.starts_with("bevy_steer_"))
            && component != TypeId::of::<UsePreset>();
        let default = registration.data::<ReflectDefault>().map(ReflectDefault::default);
        let is_settable = match info.relationship_accessor() {
            Some(RelationshipAccessor::Relationship { .. }) => true,
            Some(RelationshipAccessor::RelationshipTarget { .. }) => false,
            None => default.is_some() && !is_state_type(of),
        };
        let is_usual = |default: Box<dyn Reflect>| {
            let value = reflected(registry, entity, component);
            let default = default.as_partial_reflect();
            value.is_some_and(|value| value.reflect_partial_eq(default) == Some(true))
        };
        let is_implied = required.contains(&component) && default.is_some_and(is_usual);
        if is_ours && is_settable && !is_implied {
            chosen.push((of.type_path_table().path(), component));
        }
    }
    chosen.sort_unstable_by_key(|(path, _)| *path);
    chosen.into_iter().map(|(_, component)| component).collect()
}

/// A component of an entity, if reflection can read it.
fn reflected<'w>(
    registry: &TypeRegistry,
    entity: EntityRef<'w>,
    component: TypeId,
) -> Option<&'w dyn PartialReflect> {
    let reflect = registry.get_type_data::<ReflectComponent>(component)?;
    reflect.reflect(entity).map(PartialReflect::as_partial_reflect)
}
