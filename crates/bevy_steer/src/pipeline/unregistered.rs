//! A warning about behaviours that were never registered.

use core::any::TypeId;

use bevy::{
    ecs::{
        archetype::{ArchetypeGeneration, Archetypes},
        component::{ComponentInfo, Components},
    },
    prelude::*,
    reflect::{TypeInfo, TypeRegistry},
    utils::prelude::ShortName,
};

use crate::{
    agent::{blend::Blend, invalid_input::InvalidInputLog},
    behavior::several::one_of_several,
    pipeline::registry::BehaviorRegistry,
};

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
