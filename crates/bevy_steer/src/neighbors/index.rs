//! [`NeighborIndex`]: everybody, by place.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::prelude::*;

use crate::{
    agent::id::AgentId,
    grid::cell_grid::CellGrid,
    neighbors::columns::{PaddedColumn, PerEntry},
    space::{bounds::Bounds, plane::SteeringPlane},
};

/// Everybody with [`SteeringLayers`](crate::SteeringLayers) (so every agent), by place; rebuilt at the beginning of each tick
/// in which somebody may ask. Systems ask it through [`Neighbors`](crate::Neighbors).
///
/// It can be asked from [`SteeringSystems::Decide`](crate::SteeringSystems::Decide) on, or by game code anywhere: it then
/// tells of the last tick. Distances are measured in the asker's plane, and the short way round where
/// [`WorldBounds`](crate::WorldBounds) wrap. Answers do not depend on threads, or on the order of entities.
///
/// Who is outside of a world that wraps counts as where it would come in.
///
/// Points are sorted by the cells of a uniform grid, as Green (2010), "Particle Simulation using CUDA", section "Grid based
/// on sorting", does it: building takes time in proportion to their number, and a search looks at few more than it finds.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::{NeighborQuery, prelude::*};
/// const PREY: SteeringLayers = SteeringLayers::layer(1);
/// fn explosion(neighbors: Neighbors, mut commands: Commands) {
///     let here = NeighborQuery::at(Vec2::new(10.0, 20.0)).with_layers(PREY);
///     for neighbor in neighbors.within(here, 50.0) {
///         commands.entity(neighbor.entity).despawn();
///     }
/// }
/// ```
#[derive(Debug, Default)]
pub struct NeighborIndex {
    pub(crate) planes: [PlaneIndex; SteeringPlane::ALL.len()],
    pub(super) default_plane: SteeringPlane,
    pub(crate) bounds: Bounds,
    pub(super) fastest: f32,
    pub(super) largest: f32,
    /// How many entities there are. They are in the order of the tables of the ECS: one entry for each.
    pub(crate) entries: usize,
    /// By entry.
    pub(super) who: Vec<EntryKey>,
    /// Below zero for who is no agent.
    pub(super) radii: PerEntry<f32>,
    pub(crate) layers: PerEntry<u32>,
}

/// Somebody, in the order that decides where nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EntryKey {
    pub(crate) id: AgentId,
    pub(crate) entity: Entity,
}

impl EntryKey {
    /// What room for somebody is filled with.
    pub(super) const NONE: Self = Self { id: AgentId(0), entity: Entity::PLACEHOLDER };
}

/// Everybody, sorted by the cells of one plane. Empty where no agent uses the plane.
#[derive(Debug, Default)]
pub(crate) struct PlaneIndex {
    pub(crate) built: bool,
    pub(crate) grid: CellGrid,
    /// The radius of a disc or a ball in which there would be one if everybody stood evenly.
    pub(super) room: f32,
    /// By slot: the coordinates that the plane has, two or three.
    pub(crate) positions: [PaddedColumn; 3],
    /// By slot.
    pub(crate) velocities: [PaddedColumn; 3],
    /// Which entry a slot holds.
    pub(super) order: Vec<AtomicU32>,
    /// How many slots there are in cells; behind them are the entries that make no sense.
    pub(crate) len: usize,
    /// While the index is built, the bucket of each entry; afterwards its slot.
    pub(crate) slots: Vec<AtomicU32>,
    /// While the index is built, position and velocity of each entry; afterwards free, see [`vectors`](Self::vectors). The bits of
    /// `f32`s, so that threads can share it.
    pub(super) scratch: Vec<AtomicU32>,
    /// By slot, if somebody asks: a copy of what the [`NeighborIndex`] has by entry, as who is near in a plane is far apart there. In
    /// two columns, as many ask for the entity alone.
    pub(super) entities: Vec<Entity>,
    pub(super) ids: Vec<AgentId>,
    /// While the index is built, how many points of each part fall into each bucket.
    pub(super) histograms: Vec<Vec<u32>>,
}

impl PlaneIndex {
    /// Room for a vector a slot and one an entry, of the `D` coordinates that places in this plane have.
    #[inline(always)]
    pub(crate) fn vectors<const D: usize>(&self) -> [&[[AtomicU32; D]]; 2] {
        let (vectors, _) = self.scratch.as_chunks();
        let count = self.slots.len().min(vectors.len() / 2);
        [&vectors[..count], &vectors[count..2 * count]]
    }

    /// Which entry this slot holds.
    #[inline(always)]
    pub(crate) fn entry(&self, slot: usize) -> usize {
        self.order[slot].load(Relaxed) as usize
    }
}

impl NeighborIndex {
    /// Who is in a slot of one of the planes.
    #[inline(always)]
    pub(crate) fn who(&self, plane: &PlaneIndex, slot: usize) -> EntryKey {
        EntryKey { id: self.id(plane, slot), entity: self.entity(plane, slot) }
    }

    #[inline(always)]
    pub(super) fn entity(&self, plane: &PlaneIndex, slot: usize) -> Entity {
        plane.entities.get(slot).copied().unwrap_or_else(|| self.who[plane.entry(slot)].entity)
    }

    #[inline(always)]
    pub(crate) fn id(&self, plane: &PlaneIndex, slot: usize) -> AgentId {
        plane.ids.get(slot).copied().unwrap_or_else(|| self.who[plane.entry(slot)].id)
    }

    /// How many are indexed.
    pub fn len(&self) -> usize {
        self.planes[self.default_plane as usize].len
    }

    /// Whether nobody is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest speed of anybody in the index, in units a second.
    pub fn fastest(&self) -> f32 {
        self.fastest
    }

    /// The largest radius of anybody in the index, in units.
    pub fn largest(&self) -> f32 {
        self.largest
    }

    /// The memory that the index holds, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let plane = |index: &PlaneIndex| {
            let columns = index.positions.iter().chain(&index.velocities);
            let histograms = index.histograms.iter().map(|counts| counts.capacity() * 4);
            columns.map(PaddedColumn::bytes).sum::<usize>()
                + histograms.sum::<usize>()
                + size_of::<Entity>() * index.entities.capacity()
                + size_of::<AgentId>() * index.ids.capacity()
                + 4 * (index.order.capacity() + index.slots.capacity())
                + 4 * (index.scratch.capacity() + index.grid.starts.capacity())
        };
        self.planes.iter().map(plane).sum::<usize>()
            + size_of::<EntryKey>() * self.who.capacity()
            + self.radii.bytes()
            + self.layers.bytes()
    }

    pub(super) fn is_built(&self) -> bool {
        self.planes.iter().any(|plane| plane.built)
    }

    pub(super) fn usable(&self, plane: Option<SteeringPlane>) -> SteeringPlane {
        let plane = plane.unwrap_or(self.default_plane);
        if self.planes[plane as usize].built { plane } else { self.default_plane }
    }

    pub(super) fn plane_index(&self, plane: Option<SteeringPlane>) -> &PlaneIndex {
        &self.planes[self.usable(plane) as usize]
    }

    /// Empties it: nobody asks in this tick.
    pub(super) fn clear(&mut self) {
        for plane in &mut self.planes {
            (plane.built, plane.len) = (false, 0);
            plane.grid.starts.clear();
        }
    }
}
