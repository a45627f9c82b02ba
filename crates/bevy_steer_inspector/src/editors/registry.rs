//! [`Editors`]: the type registry that the panel draws with.

use bevy::{prelude::*, reflect::TypeRegistry};
use bevy_steer::{Bearing, BehaviorRegistry, Length, Path, RandomStream, SteeringLayers, Target};

use super::editor::add;
use crate::reflection::describe;

/// The app's type registry with the editors of this crate.
///
/// It is a copy, so that other inspectors in the app keep their editors.
#[derive(Resource, Default)]
pub(crate) struct Editors {
    pub(crate) registry: TypeRegistry,
    behaviors: usize,
}

impl Editors {
    /// Copies the registry again if behaviours have been registered since the last copy.
    pub(crate) fn refresh(world: &mut World) {
        let behaviors =
            world.get_resource::<BehaviorRegistry>().map_or(0, |all| all.iter().count());
        let last = world.get_resource::<Self>().map_or(0, |editors| editors.behaviors);
        if last == behaviors && behaviors > 0 {
            return;
        }
        let mut registry = TypeRegistry::empty();
        for registration in world.resource::<AppTypeRegistry>().read().iter() {
            registry.add_registration(registration.clone());
        }
        install(&mut registry);
        describe::install(&mut registry);
        world.insert_resource(Self { registry, behaviors });
    }
}

fn install(registry: &mut TypeRegistry) {
    add::<f32>(registry);
    add::<u32>(registry);
    add::<Option<f32>>(registry);
    add::<Entity>(registry);
    add::<SteeringLayers>(registry);
    add::<Length>(registry);
    add::<Path>(registry);
    add::<RandomStream>(registry);
    add::<Target>(registry);
    add::<Bearing>(registry);
    registry.register::<Name>();
}
