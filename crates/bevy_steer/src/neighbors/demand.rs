//! Who wants the index: nobody pays for it in a world where nobody asks.

use core::ops::Deref;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::neighbors::NeighborIndex;

/// Asks the [`NeighborIndex`], as a system parameter.
///
/// Where no system has it, and no agent flocks, avoids agents or has a nearest target, the index is not built. So take this
/// only where you need it. A system that is added while the app runs sees an empty index until the next tick.
///
/// `AgentDemand` is for this crate's own behaviours, which see to it in another way.
#[derive(SystemParam)]
pub struct Neighbors<'w, 's, AgentDemand: FromWorld + Send + Sync + 'static = IndexDemand> {
    index: Res<'w, CurrentIndex>,
    _demand: Local<'s, AgentDemand>,
}

impl<AgentDemand: FromWorld + Send + Sync> Deref for Neighbors<'_, '_, AgentDemand> {
    type Target = NeighborIndex;

    fn deref(&self) -> &NeighborIndex {
        &self.index.0
    }
}

/// The index of this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct CurrentIndex(pub(crate) NeighborIndex);

/// Which agents want the index. Taken back by a rollback only: that it is built for nobody changes no result, but it does
/// make a difference whether the game has decided something before it is built, as in the tick in which the first one comes
/// to want it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AgentDemand {
    /// Those that flock, whose kernel does not mind who its mates are.
    pub(crate) flocks: bool,
    /// Those that ask who is near: they avoid agents, or have a nearest target.
    pub(crate) asks: bool,
}

impl AgentDemand {
    pub(crate) fn is_there(self) -> bool {
        self.flocks | self.asks
    }
}

/// Whether a system wants the index. Never taken back, as a system says so only once.
#[derive(Resource, Debug, Default)]
pub(crate) struct SystemDemand(bool);

impl SystemDemand {
    pub(crate) fn is_there(&self) -> bool {
        self.0
    }
}

/// A system parameter with this keeps the [`NeighborIndex`] built: its mere initialisation, before the system runs for the
/// first time, is the demand.
#[derive(Debug)]
pub struct IndexDemand(());

impl FromWorld for IndexDemand {
    fn from_world(world: &mut World) -> Self {
        world.get_resource_or_init::<SystemDemand>().0 = true;
        Self(())
    }
}
