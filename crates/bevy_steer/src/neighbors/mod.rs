//! Who is near whom: [`NeighborIndex`], built each tick in which somebody may ask, and the queries on it.

mod axis;
mod build;
mod columns;
mod count;
mod demand;
mod found;
mod gather;
mod grid;
mod index;
mod nearest;
mod query;
mod search;
mod sort;
mod spread;
mod survey;

use bevy::{
    ecs::{entity_disabling::Disabled, system::SystemChangeTick},
    prelude::*,
};

pub(crate) use columns::Numbers;
use demand::StandingDemand;
pub(crate) use demand::{CurrentIndex, Demand};
pub use demand::{Demanded, Neighbors};
pub(crate) use gather::Entry;
use gather::{Indexed, Table, forget_entry};
pub(crate) use grid::CellGrid;
pub use index::NeighborIndex;
pub(crate) use index::PlaneIndex;
pub use query::{Neighbor, NeighborQuery};
pub(crate) use spread::{Extent, roomy_cell};

use crate::{
    behaviors::{AllFlocks, AvoidAgents, Flock},
    layers::SteeringLayers,
    number::AgentNumber,
    schedule::{SteeringSchedule, SteeringSystems},
    tick::Tick,
};

pub(crate) fn set_up(app: &mut App) {
    app.init_resource::<CurrentIndex>()
        .init_resource::<Demand>()
        .init_resource::<AllFlocks>()
        .init_resource::<StandingDemand>()
        .add_observer(forget_entry::<Add, Disabled>)
        .add_observer(forget_entry::<Remove, (SteeringLayers, AgentNumber)>)
        .add_systems(SteeringSchedule, build_index.in_set(SteeringSystems::Sense));
}

pub(crate) fn build_index(
    mut index: ResMut<CurrentIndex>,
    mut demand: ResMut<Demand>,
    standing: Res<StandingDemand>,
    indexed: Query<Indexed>,
    flocks: Query<Ref<Flock>>,
    mut all: ResMut<AllFlocks>,
    avoiders: Query<(), With<AvoidAgents>>,
    hierarchy: TransformHelper,
    tick: Tick,
    now: SystemChangeTick,
) {
    let index = &mut index.0;
    demand.flocks |= !flocks.is_empty();
    demand.asks |= !avoiders.is_empty();
    if !(demand.is_there() || standing.is_there()) {
        index.clear();
        return;
    }
    let Ok(tables) = indexed.contiguous_iter() else { return };
    let tables: Vec<_> = tables.collect();
    // Agents live in their parent's space, which is the world's; anything else may be anywhere in a hierarchy.
    let place = |&entity: &Entity| {
        let global = hierarchy.compute_global_transform(entity);
        global.map_or(Vec3::NAN, |global| global.translation())
    };
    let places: Vec<Option<Vec<Vec3>>> = tables
        .iter()
        .map(|(entities, .., vehicles, _, _, is_child)| {
            (*is_child && vehicles.is_none()).then(|| entities.iter().map(place).collect())
        })
        .collect();
    let tables = tables.iter().zip(&places).map(|(table, places)| {
        let &(entities, transforms, layers, numbers, velocities, vehicles, planes, own, _) = table;
        let places = places.as_deref();
        Table {
            entities,
            transforms,
            layers,
            numbers,
            velocities,
            vehicles,
            planes,
            entries: own,
            places,
        }
    });
    let tables: Vec<_> = tables.filter(|table| table.len() > 0).collect();
    let survey = index.survey(&tables);
    all.survey(&flocks, survey.has_moved, &now);
    let asked = demand.asks || standing.is_there();
    let (plane, bounds) = (tick.settings.plane, tick.world_bounds());
    index.build(&tables, survey, plane, bounds, all.widest, asked);
}

/// Whether somebody has come to want the index since it was not built in this tick.
pub(crate) fn is_missed(
    index: Res<CurrentIndex>,
    demand: Res<Demand>,
    standing: Res<StandingDemand>,
) -> bool {
    (demand.is_there() || standing.is_there()) && !index.0.is_built()
}
