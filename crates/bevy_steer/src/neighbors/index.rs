//! [`NeighborIndex`]: agents and whatever else has layers, by position, in columns that are read
//! side by side.

use core::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use std::sync::OnceLock;

use bevy::prelude::*;

use crate::{
    agent::{AgentId, HeightSpan},
    neighbors::{
        bounding_tree::BoundingTree,
        entry_table::EntryKind,
        levels::{Level, levels_at},
    },
    simd::WIDTH,
    space::{Bounds, SteeringPlane},
};

/// Every entity with [`SteeringLayers`](crate::SteeringLayers) (so every agent), by position;
/// rebuilt at the beginning of each tick in which it is in demand. Systems query it through
/// [`Neighbors`](crate::Neighbors).
///
/// It can be queried from [`SteeringSystems::Decide`](crate::SteeringSystems::Decide) on, or by
/// game code anywhere: it then describes the last tick. Distances are measured in the plane of the
/// query, and the short way round where [`WorldBounds`](crate::WorldBounds) wrap. Results do not
/// depend on threads, or on the order of entities.
///
/// An entity outside of a world that wraps counts as where it would come in.
///
/// Points are sorted by the cells of a uniform grid, after Green (2010), "Particle Simulation using
/// CUDA", section "Grid based on sorting": building takes time in proportion to their number, and a
/// search looks at few more than it finds.
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
    /// The number of entries: one per entity, in the order of the tables of the ECS.
    pub(crate) entries: usize,
    /// How often it has been built. No rollback changes it, so that nothing noted for one build is
    /// taken for another's.
    pub(crate) build_count: u32,
    /// By entry.
    pub(super) keys: Vec<EntryKey>,
    pub(crate) kinds: PerEntry<EntryKind>,
    /// Zero for what is not an agent.
    pub(crate) radii: PerEntry<f32>,
    pub(crate) layers: PerEntry<u32>,
}

/// The identity of an entry. Its order decides where nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EntryKey {
    pub id: AgentId,
    pub entity: Entity,
}

impl EntryKey {
    /// What new room is filled with.
    pub(super) const NONE: Self = Self { id: AgentId(0), entity: Entity::PLACEHOLDER };
}

/// The entries sorted by the cells of one plane. Empty where no agent uses the plane.
#[derive(Debug, Default)]
pub(crate) struct PlaneIndex {
    pub built: bool,
    /// In the order of their slots: one or more, if anything is built.
    pub levels: Vec<Level>,
    /// The radius of a disc or a ball that would hold one point if all were spread evenly.
    pub(super) room: f32,
    /// By slot: the coordinates that the plane has, two or three.
    pub positions: [PaddedColumn; 3],
    /// By slot.
    pub velocities: [PaddedColumn; 3],
    /// Which entry a slot holds.
    pub(super) order: Vec<AtomicU32>,
    /// The number of slots in cells; behind them are the invalid entries.
    pub len: usize,
    /// While the index is built, the bucket of each entry; afterwards its slot.
    pub slots: Vec<AtomicU32>,
    /// While the index is built, position and velocity of each entry; afterwards free, see
    /// [`vectors`](Self::vectors). The bits of `f32`s, so that threads can share it.
    pub(super) scratch: Vec<AtomicU32>,
    /// By entry, how far each reaches along the normal; shared if all are level with each other.
    pub spans: PerEntry<HeightSpan>,
    /// By slot, if identities are in demand: a copy of the keys, as near points are far apart by
    /// entry.
    pub(super) keys: Vec<EntryKey>,
    /// While the index is built, how many points of each part fall into each bucket.
    pub(super) histograms: Vec<Vec<u32>>,
    /// The points of each layer, built by the first search that asks for them.
    pub(super) of_layer: [OnceLock<BoundingTree>; 32],
}

impl PlaneIndex {
    /// Room for a vector per slot and one per entry, of the `D` coordinates of this plane.
    pub(crate) fn vectors<const D: usize>(&self) -> [&[[AtomicU32; D]]; 2] {
        let (vectors, _) = self.scratch.as_chunks();
        let count = self.slots.len().min(vectors.len() / 2);
        [&vectors[..count], &vectors[count..2 * count]]
    }

    /// The rows of cells of each level, in at least this number of pieces.
    pub(crate) fn shares(&self, pieces: usize) -> Vec<(&Level, Range<usize>)> {
        let pieces = pieces.div_ceil(self.levels.len().max(1));
        let shares = self.levels.iter().flat_map(|level| {
            let (rows, buckets) = level.grid.rows();
            let slots = match level.grid.starts[..] {
                [first, .., end] => first as usize..end as usize,
                _ => 0..0,
            };
            let mut begin = 0;
            (1..=pieces).map(move |piece| {
                let (goal, first) = (slots.start + slots.len() * piece / pieces, begin);
                let is_before = |row: usize| (level.grid.starts[row * buckets] as usize) < goal;
                while begin < rows && (piece == pieces || is_before(begin)) {
                    begin += 1;
                }
                (level, first..begin)
            })
        });
        shares.collect()
    }

    /// Forgets what it holds.
    pub(super) fn reset(&mut self) {
        self.len = 0;
        self.levels.iter_mut().for_each(|level| level.grid.starts.clear());
        self.of_layer = Default::default();
    }

    /// The levels of the same height band.
    pub(crate) fn levels_beside(&self, level: &Level) -> &[Level] {
        levels_at(&self.levels, Some(level.heights))
    }

    /// Which entry this slot holds.
    #[inline]
    pub(crate) fn entry(&self, slot: usize) -> usize {
        self.order[slot].load(Relaxed) as usize
    }
}

impl NeighborIndex {
    /// The identity of the entry in a slot of one of the planes.
    #[inline]
    pub(crate) fn key(&self, plane: &PlaneIndex, slot: usize) -> EntryKey {
        plane.keys.get(slot).copied().unwrap_or_else(|| self.keys[plane.entry(slot)])
    }

    #[inline]
    pub(crate) fn entity(&self, plane: &PlaneIndex, slot: usize) -> Entity {
        self.key(plane, slot).entity
    }

    #[inline]
    pub(crate) fn id(&self, plane: &PlaneIndex, slot: usize) -> AgentId {
        self.key(plane, slot).id
    }

    /// The number of indexed entities.
    pub fn len(&self) -> usize {
        self.planes[self.default_plane as usize].len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The highest speed of any indexed entity, in units per second.
    pub fn fastest(&self) -> f32 {
        self.fastest
    }

    /// The largest radius of any indexed entity, in units.
    pub fn largest(&self) -> f32 {
        self.largest
    }

    /// The memory that the index holds, in bytes.
    pub fn memory_bytes(&self) -> usize {
        let plane = |index: &PlaneIndex| {
            let columns = index.positions.iter().chain(&index.velocities);
            let histograms = index.histograms.iter().map(|counts| counts.capacity() * 4);
            let trees = index.of_layer.iter().filter_map(OnceLock::get);
            let starts = index.levels.iter().map(|level| level.grid.starts.capacity());
            columns.map(PaddedColumn::bytes).sum::<usize>()
                + trees.map(BoundingTree::bytes).sum::<usize>()
                + histograms.sum::<usize>()
                + size_of::<EntryKey>() * index.keys.capacity()
                + index.spans.bytes()
                + 4 * (index.order.capacity() + index.slots.capacity())
                + 4 * (index.scratch.capacity() + starts.sum::<usize>())
        };
        self.planes.iter().map(plane).sum::<usize>()
            + size_of::<EntryKey>() * self.keys.capacity()
            + self.kinds.bytes()
            + self.radii.bytes()
            + self.layers.bytes()
    }

    /// The slot of an entry in a plane, if there is one.
    #[inline]
    pub(crate) fn slot_of(&self, plane: SteeringPlane, entry: usize) -> Option<usize> {
        let plane = &self.planes[plane as usize];
        let slot = plane.slots.get(entry)?.load(Relaxed) as usize;
        (plane.built && slot < plane.len).then_some(slot)
    }

    pub(super) fn usable(&self, plane: Option<SteeringPlane>) -> SteeringPlane {
        let plane = plane.unwrap_or(self.default_plane);
        if self.planes[plane as usize].built { plane } else { self.default_plane }
    }

    pub(super) fn plane_index(&self, plane: Option<SteeringPlane>) -> &PlaneIndex {
        &self.planes[self.usable(plane) as usize]
    }
}

/// Numbers, one per point, and a few unused ones behind, so that a full set of lanes can be read
/// anywhere.
///
/// Large allocations all begin at the same offset of a page, and caches have few places for
/// addresses of equal offset: a dozen arrays read at the same index would evict each other. So each
/// begins a little later.
#[derive(Debug, Default)]
pub(crate) struct PaddedColumn {
    data: Vec<f32>,
    skipped: usize,
}

/// By how many numbers one array begins later than the one before it.
const STAGGER: usize = 80;

impl PaddedColumn {
    /// Makes room for `count` numbers of unspecified value. `position` counts the arrays.
    pub(crate) fn resize(&mut self, count: usize, position: usize) {
        self.skipped = position * STAGGER;
        self.data.resize(self.skipped + count + WIDTH, 0.0);
    }

    pub(crate) fn get(&self) -> &[f32] {
        self.data.get(self.skipped..).unwrap_or_default()
    }

    /// Without the padding.
    pub(crate) fn get_mut(&mut self) -> &mut [f32] {
        let end = self.data.len().saturating_sub(WIDTH);
        self.data.get_mut(self.skipped..end).unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        self.data.capacity() * size_of::<f32>()
    }
}

/// Values by entry that are usually the same for all.
#[derive(Debug)]
pub(crate) enum PerEntry<T> {
    Shared(T),
    Each(Vec<T>),
}

impl<T: Copy + PartialEq + Default> Default for PerEntry<T> {
    fn default() -> Self {
        Self::Shared(T::default())
    }
}

impl<T: Copy + PartialEq + Default> PerEntry<T> {
    /// The value of an entry, which is computed only if it matters.
    #[inline(always)]
    pub(crate) fn get(&self, entry: impl FnOnce() -> usize) -> T {
        match self {
            Self::Shared(value) => *value,
            Self::Each(values) => values[entry()],
        }
    }

    /// The value of all, if they share it.
    pub(crate) fn same(&self) -> Option<T> {
        if let Self::Shared(value) = self { Some(*value) } else { None }
    }

    /// The values by entry, if they differ.
    pub(crate) fn each(&self) -> Option<&[T]> {
        if let Self::Each(values) = self { Some(values) } else { None }
    }

    /// Takes these values; `same` says that all equal it.
    pub(crate) fn collect(&mut self, same: Option<T>, values: impl Iterator<Item = T>) {
        match (same, self) {
            (Some(value), kept) => *kept = Self::Shared(value),
            (None, Self::Each(kept)) => {
                kept.clear();
                kept.extend(values);
            }
            (None, kept) => *kept = Self::Each(values.collect()),
        }
    }

    fn bytes(&self) -> usize {
        if let Self::Each(values) = self { values.capacity() * size_of::<T>() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_values_are_kept_once_and_others_by_entry() {
        let mut layers = PerEntry::<u32>::default();
        assert_eq!((layers.same(), layers.get(|| 7)), (Some(0), 0));
        layers.collect(Some(3), [3, 3].into_iter());
        assert_eq!((layers.same(), layers.get(|| 7)), (Some(3), 3));
        for values in [[3, 5, 3], [4, 4, 6]] {
            layers.collect(None, values.into_iter());
            assert_eq!(layers.same(), None);
            assert_eq!([0, 1, 2].map(|entry| layers.get(|| entry)), values);
        }
    }
}
