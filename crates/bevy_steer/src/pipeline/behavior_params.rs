//! [`BehaviorParams`]: what the systems of a behaviour read.

use core::marker::PhantomData;

use bevy::{
    ecs::system::{StaticSystemParam, SystemParam},
    prelude::*,
};

use crate::{
    agent::tick_context::Tick,
    behavior::{several::Several, steering_behavior::SteeringBehavior},
    neighbors::NeighborUsers,
    pipeline::{batch::BehaviorContext, registry::BehaviorRegistry},
};

/// What each system of a behaviour reads: the behaviour's own parameters, and what holds for all
/// behaviours.
///
/// Whether [`Neighbors`](crate::Neighbors) is among its parameters shows when they are initialised,
/// which is done in the order of these fields.
#[derive(SystemParam)]
pub(crate) struct BehaviorParams<'w, 's, B: SteeringBehavior> {
    _begin: Local<'s, Begin>,
    params: StaticSystemParam<'w, 's, <B as SteeringBehavior>::Param>,
    _end: Local<'s, End<B>>,
    registry: Res<'w, BehaviorRegistry>,
    tick: Tick<'w>,
}

impl<'w, 's, B: SteeringBehavior> BehaviorParams<'w, 's, B> {
    pub(crate) fn context(&self) -> BehaviorContext<'_, 'w, 's, B> {
        let index = self.registry.index_of::<B>();
        BehaviorContext { params: &*self.params, index, place: None, tick: self.tick.borrow() }
    }
}

/// The behaviour's own parameters follow.
struct Begin;

impl FromWorld for Begin {
    fn from_world(world: &mut World) -> Self {
        world.get_resource_or_init::<NeighborUsers>().begin_behavior();
        Self
    }
}

/// That was all of the behaviour's own parameters.
struct End<B>(PhantomData<B>);

impl<B: SteeringBehavior> FromWorld for End<B> {
    fn from_world(world: &mut World) -> Self {
        let components =
            [world.register_component::<B>(), world.register_component::<Several<B>>()];
        world.get_resource_or_init::<NeighborUsers>().end_behavior(components);
        Self(PhantomData)
    }
}
