//! The demand for the index: it is built only where something searches it.

use core::ops::Deref;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::neighbors::index::NeighborIndex;

/// The [`NeighborIndex`], as a system parameter.
///
/// Where no system has it, and nothing flocks, avoids agents or has a nearest target (also what is
/// disabled or no agent yet), the index is not built. So take this only where you need it. A system
/// that is added while the app runs sees an empty index until the next tick.
///
/// `Demand` is for this crate's own behaviours, which demand the index in another way.
#[derive(SystemParam)]
pub struct Neighbors<'w, 's, Demand: FromWorld + Send + Sync + 'static = IndexDemand> {
    index: Res<'w, CurrentIndex>,
    _demand: Local<'s, Demand>,
}

impl<Demand: FromWorld + Send + Sync> Deref for Neighbors<'_, '_, Demand> {
    type Target = NeighborIndex;

    fn deref(&self) -> &NeighborIndex {
        &self.index.0
    }
}

/// The index of this tick.
#[derive(Resource, Debug, Default)]
pub(crate) struct CurrentIndex(pub(crate) NeighborIndex);

/// What the behaviours of agents demand of the index. Each behaviour that searches it tells so in
/// [`SteeringSystems::Sense`](crate::SteeringSystems::Sense), before it is built.
///
/// Never withdrawn, except by a rollback: an index that is built for nothing changes no result, but
/// it does make a difference whether the game decided something before it was built, as in the tick
/// in which the first agent comes to want it.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct AgentDemand {
    neighbors: bool,
    identities: bool,
    /// The radius of the searches of this tick that are most common, in units; reset when the
    /// index is built.
    radius: f32,
}

impl AgentDemand {
    /// Searches for places and velocities alone, up to this far, in units.
    pub(crate) fn want_neighbors(&mut self, radius: f32) {
        self.neighbors = true;
        self.radius = self.radius.max(radius);
    }

    /// Searches that tell which entities they find.
    pub(crate) fn want_identities(&mut self) {
        (self.neighbors, self.identities) = (true, true);
    }

    pub(super) fn is_any(self) -> bool {
        self.neighbors
    }

    pub(super) fn wants_identities(self) -> bool {
        self.identities
    }

    pub(super) fn take_radius(&mut self) -> f32 {
        core::mem::take(&mut self.radius)
    }
}

/// The demand of a behaviour that searches for entities: there is one as soon as an agent has it.
pub(crate) fn demand_identities<B: Component>(
    agents: Query<(), With<B>>,
    mut demand: ResMut<AgentDemand>,
) {
    if !agents.is_empty() {
        demand.want_identities();
    }
}

/// Whether a system wants the index. Never withdrawn, as a system says so only once.
#[derive(Resource, Debug, Default)]
pub(crate) struct SystemDemand(bool);

impl SystemDemand {
    pub(super) fn is_any(&self) -> bool {
        self.0
    }
}

/// A system parameter with this keeps the [`NeighborIndex`] built: its initialisation, before the
/// system runs for the first time, is the demand.
#[derive(Debug)]
pub struct IndexDemand(());

impl FromWorld for IndexDemand {
    fn from_world(world: &mut World) -> Self {
        world.get_resource_or_init::<SystemDemand>().0 = true;
        Self(())
    }
}
