//! Registration of behaviours.

use core::any::TypeId;

use bevy::{ecs::change_detection::ContiguousRef, prelude::*, reflect::ReflectRef};

use crate::{
    behavior::SteeringBehavior,
    blend::{Blend, Priority},
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

/// A registered behaviour, and what tools need to handle it without knowing its type.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredBehavior {
    /// The component's type.
    pub type_id: TypeId,
    /// Its [name](SteeringBehavior::name): `Seek`.
    pub name: &'static str,
    /// The tier it belongs to unless its [`Blend`] says otherwise.
    pub priority: Priority,
    blend: for<'w> fn(EntityRef<'w>) -> Option<&'w Blend>,
    edit_blend: fn(&mut EntityWorldMut, &mut dyn FnMut(&mut Blend)) -> bool,
    #[cfg(feature = "gizmos")]
    draw: fn(&mut App),
}

impl RegisteredBehavior {
    fn of<B: SteeringBehavior>() -> Self {
        Self {
            type_id: TypeId::of::<B>(),
            name: B::name(),
            priority: B::PRIORITY,
            blend: |entity| entity.get::<B>().map(B::blend),
            edit_blend: |entity, edit| {
                let Some(mut behavior) = entity.get_mut::<B>() else { return false };
                edit(behavior.blend_mut());
                true
            },
            #[cfg(feature = "gizmos")]
            draw: crate::gizmos::draw_behavior::<B>,
        }
    }

    /// How it takes part in the arbitration of this entity, if that has it.
    pub fn blend<'w>(&self, entity: impl Into<EntityRef<'w>>) -> Option<&'w Blend> {
        (self.blend)(entity.into())
    }

    /// Changes that. Returns whether the entity has the behaviour.
    pub fn edit_blend(
        &self,
        entity: &mut EntityWorldMut,
        mut edit: impl FnMut(&mut Blend),
    ) -> bool {
        (self.edit_blend)(entity, &mut edit)
    }

    /// Whether this entity has it, switched on or off.
    pub fn is_on<'w>(&self, entity: impl Into<EntityRef<'w>>) -> bool {
        entity.into().contains_type_id(self.type_id)
    }

    /// Has it drawn.
    #[cfg(feature = "gizmos")]
    pub(crate) fn draw_in(&self, app: &mut App) {
        (self.draw)(app);
    }
}

impl BehaviorRegistry {
    /// All of them, in the order in which they run.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredBehavior> {
        self.entries.iter()
    }

    /// One of them, by its place in that order.
    pub fn get(&self, index: usize) -> Option<&RegisteredBehavior> {
        self.entries.get(index)
    }

    pub(crate) fn index_of<B: SteeringBehavior>(&self) -> usize {
        let found = self.entries.iter().position(|entry| entry.type_id == TypeId::of::<B>());
        found.unwrap_or(self.entries.len())
    }
}

/// The place of one behaviour, in the order of registration, in each of the two chains.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BehaviorLink {
    /// Where its parameters are looked at.
    Check(usize),
    /// Where it steers.
    Steer(usize),
}

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
    let registered = RegisteredBehavior::of::<B>();
    registry.entries.push(registered);
    #[cfg(feature = "gizmos")]
    if crate::gizmos::are_drawn(app) {
        registered.draw_in(app);
    }
    let (check, steer) = (BehaviorLink::Check(link), BehaviorLink::Steer(link));
    if let Some(last) = link.checked_sub(1) {
        app.configure_sets(
            SteeringSchedule,
            (check.after(BehaviorLink::Check(last)), steer.after(BehaviorLink::Steer(last))),
        );
    }
    app.register_type::<B>()
        .configure_sets(
            SteeringSchedule,
            (check.in_set(Readiness::Check), steer.in_set(SteeringSystems::Behave)),
        )
        .add_systems(
            SteeringSchedule,
            (check_parameters::<B>.in_set(check), steer_agents::<B, M>.in_set(steer)),
        )
}

/// Looks at parameters of agents when they are set: warns of those that are not numbers, and notes who wants the
/// [`NeighborIndex`](crate::NeighborIndex).
pub(crate) fn check_parameters<C: Component + Reflect + TypePath>(
    agents: Query<(Entity, Ref<C>), With<Vehicle>>,
    mut demand: ResMut<Demand>,
    offences: Res<Offences>,
) {
    let mut check = |entity, parameters: &C| {
        let parameters = parameters.as_partial_reflect();
        if let Some(field) = first_nan(parameters) {
            let name = C::short_type_path();
            offences.warn(entity, &format!("{name}{field}"), "is not a number");
        }
        if !demand.asks && wants_nearest(parameters) {
            demand.asks = true;
        }
    };
    let Ok(tables) = agents.contiguous_iter() else {
        // A component of a game that is kept in a sparse set.
        let changed = agents.iter().filter(|(_, parameters)| parameters.is_changed());
        return changed.for_each(|(entity, parameters)| check(entity, &parameters));
    };
    for (entities, parameters) in tables {
        let (parameters, ticks) = ContiguousRef::split(parameters);
        // Mostly nobody's have changed. All are asked, as that needs no branches.
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
