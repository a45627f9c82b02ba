//! Registration of behaviours.

use core::any::TypeId;

use bevy::{prelude::*, reflect::ReflectRef};

use crate::{
    behavior::SteeringBehavior,
    blocks::{ByBlocks, SteerBlock},
    neighbors::Demand,
    offences::{Offences, first_nan},
    schedule::{SteeringSchedule, SteeringSystems},
    steer::{Manner, OneByOne, steer_agents},
    target::Target,
    vehicle::Vehicle,
};

/// The registered behaviours, in the order in which they run.
#[derive(Resource, Debug, Default)]
pub struct BehaviorRegistry {
    entries: Vec<RegisteredBehavior>,
}

/// A registered behaviour.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// Its name without the path: `Seek`.
    pub name: &'static str,
}

impl BehaviorRegistry {
    /// All of them, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    pub(crate) fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}

/// The place of one behaviour in the chain.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BehaviorLink(usize);

pub(crate) const FIRST_LINK: BehaviorLink = BehaviorLink(0);

/// What must be seen to after the game has decided and before any behaviour is asked.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Readiness {
    /// Do the parameters make sense, and does anybody look for the nearest of something?
    Check,
    /// Make what they ask for.
    Make,
}

/// Registers behaviours.
pub trait SteeringAppExt {
    /// Makes `B` a steering behaviour of this app. It runs after those registered before it. A second call does nothing.
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self;
}

impl SteeringAppExt for App {
    fn add_steering_behavior<B: SteeringBehavior>(&mut self) -> &mut Self {
        register::<B, OneByOne>(self)
    }
}

/// [`SteeringAppExt::add_steering_behavior`] for a behaviour that steers eight agents at a time.
pub(crate) fn add_block_behavior<B: SteerBlock>(app: &mut App) -> &mut App {
    register::<B, ByBlocks>(app)
}

fn register<B: SteeringBehavior, M: Manner<B>>(app: &mut App) -> &mut App {
    let mut registry =
        app.init_resource::<BehaviorRegistry>().world_mut().resource_mut::<BehaviorRegistry>();
    let link = registry.index_of::<B>();
    if link < registry.entries.len() {
        return app;
    }
    registry
        .entries
        .push(RegisteredBehavior { type_id: TypeId::of::<B>(), name: B::short_type_path() });
    if link > 0 {
        app.configure_sets(SteeringSchedule, BehaviorLink(link).after(BehaviorLink(link - 1)));
    }
    app.register_type::<B>()
        .configure_sets(SteeringSchedule, BehaviorLink(link).in_set(SteeringSystems::Behave))
        .add_systems(
            SteeringSchedule,
            (
                check_parameters::<B>.in_set(Readiness::Check),
                steer_agents::<B, M>.in_set(BehaviorLink(link)),
            ),
        )
}

/// Looks at parameters of agents when they are set: warns of those that are not numbers, and notes who wants the
/// [`NeighborIndex`](crate::NeighborIndex).
pub(crate) fn check_parameters<C: Component + Reflect + TypePath>(
    changed: Query<(Entity, &C), (With<Vehicle>, Changed<C>)>,
    mut demand: ResMut<Demand>,
    offences: Res<Offences>,
) {
    for (entity, parameters) in &changed {
        let parameters = parameters.as_partial_reflect();
        if let Some(field) = first_nan(parameters) {
            let name = C::short_type_path();
            offences.warn(entity, &format!("{name}{field}"), "is not a number");
        }
        if !demand.0 && wants_nearest(parameters) {
            demand.0 = true;
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
