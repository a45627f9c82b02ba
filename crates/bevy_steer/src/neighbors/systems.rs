//! Builds the neighbour index once in each tick in which something needs it.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

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
        demand::{AgentDemand, CurrentIndex, NeighborUsers},
        tables::{Indexed, Table},
    },
};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<CurrentIndex>()
        .init_resource::<AgentDemand>()
        .init_resource::<NeighborUsers>()
        .add_observer(forget_entry::<Add<Disabled>>)
        .add_observer(forget_entry::<Remove<(SteeringLayers, AgentId)>>);
}

pub(crate) fn build_index(
    mut index: ResMut<CurrentIndex>,
    mut demand: ResMut<AgentDemand>,
    users: Res<NeighborUsers>,
    indexed: Query<Indexed>,
    hierarchy: Hierarchy,
    tick: Tick,
) {
    let index = &mut index.0;
    let radius = demand.take_radius();
    if !(demand.is_any() || users.has_system()) {
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
    let asked = demand.wants_identities() || users.has_system();
    let wanted = Wanted { widest: radius, asked };
    index.build(&tables, tick.settings.plane, tick.world_bounds(), wanted);
}

/// Whether the index is in demand now and was not built in this tick.
pub(crate) fn is_missing(
    index: Res<CurrentIndex>,
    demand: Res<AgentDemand>,
    users: Res<NeighborUsers>,
) -> bool {
    (demand.is_any() || users.has_system()) && !index.0.is_built()
}
