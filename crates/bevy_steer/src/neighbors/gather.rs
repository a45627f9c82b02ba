//! What the index is made of: the tables of the ECS, cut into one part a thread.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bevy::{ecs::entity_disabling::Disabled, prelude::*};

use crate::{
    layers::SteeringLayers,
    number::AgentNumber,
    plane::SteeringPlane,
    rows::{Rows, rows_for_struct},
    vehicle::{Vehicle, Velocity},
};

/// The entry of who has none, past the end of every index.
const NONE: u32 = u32::MAX;

/// Which entry of the index an agent is in this tick. Written while others read the same tables, hence atomic.
///
/// Who is not indexed has none, see [`forget_entry`]: in the midst of the tick in which it is back, what it once had is somebody
/// else's.
#[derive(Component, Debug)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Entry(AtomicU32);

impl Default for Entry {
    fn default() -> Self {
        Self(AtomicU32::new(NONE))
    }
}

impl Entry {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Relaxed) as usize
    }

    pub(super) fn set(&self, entry: u32) {
        if self.0.load(Relaxed) != entry {
            self.0.store(entry, Relaxed);
        }
    }
}

/// For observers of what takes an agent out of the index.
pub(super) fn forget_entry<E: EntityEvent, B: Bundle>(
    event: On<E, B>,
    entries: Query<&Entry, Allow<Disabled>>,
) {
    if let Ok(entry) = entries.get(event.event_target()) {
        entry.set(NONE);
    }
}

/// Who is indexed.
pub(crate) type Indexed = (
    Entity,
    &'static Transform,
    &'static SteeringLayers,
    &'static AgentNumber,
    Option<&'static Velocity>,
    Option<&'static Vehicle>,
    Option<&'static SteeringPlane>,
    Option<&'static Entry>,
    Has<ChildOf>,
);

/// Columns of some of them.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) entities: &'a [Entity],
    pub(super) transforms: &'a [Transform],
    pub(super) layers: &'a [SteeringLayers],
    pub(super) numbers: &'a [AgentNumber],
    pub(super) velocities: Option<&'a [Velocity]>,
    pub(super) vehicles: Option<&'a [Vehicle]>,
    pub(super) planes: Option<&'a [SteeringPlane]>,
    pub(super) entries: Option<&'a [Entry]>,
    /// Places in the world, where the transforms are relative to a parent's.
    pub(super) places: Option<&'a [Vec3]>,
}

rows_for_struct!(Table {
    entities,
    transforms,
    layers,
    numbers,
    velocities,
    vehicles,
    planes,
    entries,
    places
});

impl Table<'_> {
    pub(super) fn len(&self) -> usize {
        self.entities.len()
    }

    #[inline(always)]
    pub(super) fn position(&self, row: usize) -> Vec3 {
        self.places.map_or_else(|| self.transforms[row].translation, |places| places[row])
    }

    #[inline(always)]
    pub(super) fn velocity(&self, row: usize) -> Vec3 {
        self.velocities.map_or(Vec3::ZERO, |velocities| velocities[row].0)
    }

    /// Below zero for who is no agent.
    #[inline(always)]
    pub(super) fn radius(&self, row: usize) -> f32 {
        self.vehicles.map_or(-1.0, |vehicles| body_radius(&vehicles[row]))
    }
}

#[inline(always)]
pub(super) fn body_radius(vehicle: &Vehicle) -> f32 {
    if vehicle.radius > 0.0 { vehicle.radius } else { 0.0 }
}

/// The tables, cut into parts of equal numbers of rows.
pub(super) fn parts<'a>(tables: &[Table<'a>], count: usize) -> Vec<Vec<Table<'a>>> {
    let total: usize = tables.iter().map(Table::len).sum();
    let mut parts = vec![Vec::new()];
    let (mut done, mut tables) = (0, tables.iter().copied());
    let mut rest = tables.next();
    while let Some(table) = rest {
        let end = total * parts.len() / count;
        let table = if parts.len() < count && table.len() > end - done {
            let (first, others) = table.cut(end - done);
            rest = Some(others);
            first
        } else {
            rest = tables.next();
            table
        };
        done += table.len();
        if let Some(part) = parts.last_mut() {
            part.push(table);
        }
        if done == end && parts.len() < count {
            parts.push(Vec::new());
        }
    }
    parts
}

/// Cuts a slice into one piece for each part, `stride` elements a row.
pub(super) fn pieces<'s, T>(
    parts: &[Vec<Table>],
    stride: usize,
    mut slice: &'s mut [T],
) -> Vec<&'s mut [T]> {
    let mut pieces = Vec::with_capacity(parts.len());
    for part in parts {
        let rows: usize = part.iter().map(Table::len).sum();
        let (piece, rest) = slice.split_at_mut(rows * stride);
        pieces.push(piece);
        slice = rest;
    }
    pieces
}

/// What a table of a test is made of.
#[cfg(test)]
pub(super) struct Crowd {
    entities: Vec<Entity>,
    transforms: Vec<Transform>,
    layers: Vec<SteeringLayers>,
    numbers: Vec<AgentNumber>,
}

#[cfg(test)]
impl Crowd {
    /// So many in one place, with numbers from zero on.
    pub(super) fn of(size: usize) -> Self {
        Self {
            entities: vec![Entity::PLACEHOLDER; size],
            transforms: vec![Transform::IDENTITY; size],
            layers: vec![SteeringLayers::default(); size],
            numbers: (0..size as u64).map(AgentNumber).collect(),
        }
    }

    pub(super) fn table(&self) -> Table<'_> {
        Table {
            entities: &self.entities,
            transforms: &self.transforms,
            layers: &self.layers,
            numbers: &self.numbers,
            velocities: None,
            vehicles: None,
            planes: None,
            entries: None,
            places: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_radius_that_makes_no_sense_is_none() {
        let radius = |radius| body_radius(&Vehicle::default().with_radius(radius));
        assert_eq!(
            [radius(0.5), radius(0.0), radius(-1.0), radius(f32::NAN)],
            [0.5, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn tables_are_cut_into_parts_of_like_size_in_their_order() {
        let crowd = Crowd::of(112);
        let everybody = crowd.table();
        let (few, others) = everybody.cut(5);
        let (none, others) = others.cut(0);
        let (some, many) = others.cut(60);
        for count in [1, 2, 3, 4, 7] {
            let parts = parts(&[few, none, some, many], count);
            assert_eq!(parts.len(), count);
            let size = |part: &Vec<Table>| part.iter().map(Table::len).sum::<usize>();
            let sizes: Vec<usize> = parts.iter().map(size).collect();
            assert!(sizes.iter().all(|size| size.abs_diff(112 / count) <= 1), "{sizes:?}");
            let in_order: Vec<AgentNumber> =
                parts.iter().flatten().flat_map(|table| table.numbers).copied().collect();
            assert_eq!(in_order, crowd.numbers);
        }
    }
}
