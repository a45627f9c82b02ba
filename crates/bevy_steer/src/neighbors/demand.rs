//! The demand for the index, and the system that builds it where something searches it.

use core::ops::Deref;

use bevy::{
    ecs::{entity_disabling::Disabled, system::SystemParam},
    prelude::*,
};

use crate::{
    agent::{
        hierarchy::{Hierarchy, Motion},
        id::AgentId,
        index_slot::forget_entry,
        layers::SteeringLayers,
        tick_context::Tick,
    },
    neighbors::{
        build::Wanted,
        entry_table::{Indexed, Table},
        index::NeighborIndex,
    },
};

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
    classes: bool,
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

    /// Searches that reach the farther, the faster and larger what they look for is: entries of
    /// different [classes](super::Level) are sorted apart.
    pub(crate) fn want_classes(&mut self) {
        self.want_identities();
        self.classes = true;
    }
}

/// Whether a system wants the index. Never withdrawn, as a system says so only once.
#[derive(Resource, Debug, Default)]
pub(crate) struct SystemDemand(bool);

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

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<CurrentIndex>()
        .init_resource::<AgentDemand>()
        .init_resource::<SystemDemand>()
        .add_observer(forget_entry::<Add<Disabled>>)
        .add_observer(forget_entry::<Remove<(SteeringLayers, AgentId)>>);
}

pub(crate) fn build_index(
    mut index: ResMut<CurrentIndex>,
    mut demand: ResMut<AgentDemand>,
    standing: Res<SystemDemand>,
    indexed: Query<Indexed>,
    hierarchy: Hierarchy,
    tick: Tick,
) {
    let index = &mut index.0;
    let widest = core::mem::take(&mut demand.radius);
    if !(demand.neighbors || standing.0) {
        index.clear();
        return;
    }
    let Ok(tables) = indexed.contiguous_iter() else { return };
    let tables: Vec<_> = tables.collect();
    // The parent of an agent has the identity transform; other entities may be anywhere in a
    // hierarchy.
    let lost = Motion { position: Vec3::NAN, velocity: Vec3::ZERO, facing: Vec3::ZERO };
    let motion = |&entity: &Entity| hierarchy.motion(entity, Vec3::ZERO).unwrap_or(lost);
    let motions: Vec<Option<Vec<Motion>>> = tables
        .iter()
        .map(|(entities, .., vehicles, _, _, _, is_child)| {
            (*is_child && vehicles.is_none()).then(|| entities.iter().map(motion).collect())
        })
        .collect();
    let tables = tables.iter().zip(&motions).map(|(table, motions)| {
        let &(entities, transforms, layers, ids, velocities, vehicles, planes, heights, own, _) =
            table;
        let motions = motions.as_deref();
        Table {
            entities,
            transforms,
            layers,
            ids,
            velocities,
            vehicles,
            planes,
            heights,
            entries: own,
            motions,
        }
    });
    let tables: Vec<_> = tables.filter(|table| table.len() > 0).collect();
    let wanted =
        Wanted { widest, identities: demand.identities || standing.0, classes: demand.classes };
    index.build(&tables, tick.settings.plane, tick.world_bounds(), wanted);
}

/// Whether the index is in demand now and was not built in this tick.
pub(crate) fn is_missing(
    index: Res<CurrentIndex>,
    demand: Res<AgentDemand>,
    standing: Res<SystemDemand>,
) -> bool {
    (demand.neighbors || standing.0) && !index.0.is_built()
}
