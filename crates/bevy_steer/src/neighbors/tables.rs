//! The input of the index: the tables of the ECS, cut into one part per thread.

use bevy::prelude::*;

use crate::{
    agent::{
        height::SteeringHeight,
        hierarchy::Motion,
        id::AgentId,
        index_slot::IndexSlot,
        layers::SteeringLayers,
        vehicle::{Vehicle, Velocity},
    },
    ecs::columns::{Columns, columns_for_struct},
    space::plane::SteeringPlane,
};

/// The entities that are indexed.
pub(crate) type Indexed = (
    Entity,
    &'static Transform,
    &'static SteeringLayers,
    &'static AgentId,
    Option<&'static Velocity>,
    Option<&'static Vehicle>,
    Option<&'static SteeringPlane>,
    Option<&'static SteeringHeight>,
    Option<&'static IndexSlot>,
    Has<ChildOf>,
);

/// Columns of some of them.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) entities: &'a [Entity],
    pub(super) transforms: &'a [Transform],
    pub(super) layers: &'a [SteeringLayers],
    pub(super) ids: &'a [AgentId],
    pub(super) velocities: Option<&'a [Velocity]>,
    pub(super) vehicles: Option<&'a [Vehicle]>,
    pub(super) planes: Option<&'a [SteeringPlane]>,
    pub(super) heights: Option<&'a [SteeringHeight]>,
    pub(super) entries: Option<&'a [IndexSlot]>,
    /// Motions in the world, where the transforms are relative to a parent's.
    pub(super) motions: Option<&'a [Motion]>,
}

columns_for_struct!(Table {
    entities,
    transforms,
    layers,
    ids,
    velocities,
    vehicles,
    planes,
    heights,
    entries,
    motions
});

impl Table<'_> {
    pub(super) fn len(&self) -> usize {
        self.entities.len()
    }

    #[inline(always)]
    pub(super) fn position(&self, row: usize) -> Vec3 {
        self.motions
            .map_or_else(|| self.transforms[row].translation, |motions| motions[row].position)
    }

    #[inline(always)]
    pub(super) fn velocity(&self, row: usize) -> Vec3 {
        match self.motions {
            Some(motions) => motions[row].velocity,
            None => self.velocities.map_or(Vec3::ZERO, |velocities| velocities[row].0),
        }
    }

    /// [`MOVER`] or [`THING`] for an entity that is no agent.
    #[inline(always)]
    pub(super) fn radius(&self, row: usize) -> f32 {
        let other = if self.velocities.is_some() { MOVER } else { THING };
        self.vehicles.map_or(other, |vehicles| body_radius(&vehicles[row]))
    }
}

/// Instead of a radius: no agent, and does not move.
pub(super) const THING: f32 = -1.0;
/// Instead of a radius: no agent, and moves.
pub(super) const MOVER: f32 = -2.0;

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
            let (first, others) = table.split_at(end - done);
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

/// Cuts a slice into one piece per part, `stride` elements a row.
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

/// The columns of a table for tests.
#[cfg(test)]
pub(super) struct Crowd {
    entities: Vec<Entity>,
    transforms: Vec<Transform>,
    layers: Vec<SteeringLayers>,
    ids: Vec<AgentId>,
}

#[cfg(test)]
impl Crowd {
    /// This many in one place, with ids from zero on.
    pub(super) fn of(size: usize) -> Self {
        Self {
            entities: vec![Entity::PLACEHOLDER; size],
            transforms: vec![Transform::IDENTITY; size],
            layers: vec![SteeringLayers::default(); size],
            ids: (0..size as u64).map(AgentId).collect(),
        }
    }

    pub(super) fn table(&self) -> Table<'_> {
        Table {
            entities: &self.entities,
            transforms: &self.transforms,
            layers: &self.layers,
            ids: &self.ids,
            velocities: None,
            vehicles: None,
            planes: None,
            heights: None,
            entries: None,
            motions: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_radius_is_zero() {
        let radius = |radius| body_radius(&Vehicle::default().with_radius(radius));
        assert_eq!(
            [radius(0.5), radius(0.0), radius(-1.0), radius(f32::NAN)],
            [0.5, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn parts_have_equal_size_and_keep_order() {
        let crowd = Crowd::of(112);
        let all = crowd.table();
        let (few, others) = all.split_at(5);
        let (none, others) = others.split_at(0);
        let (some, many) = others.split_at(60);
        for count in [1, 2, 3, 4, 7] {
            let parts = parts(&[few, none, some, many], count);
            assert_eq!(parts.len(), count);
            let size = |part: &Vec<Table>| part.iter().map(Table::len).sum::<usize>();
            let sizes: Vec<usize> = parts.iter().map(size).collect();
            assert!(sizes.iter().all(|size| size.abs_diff(112 / count) <= 1), "{sizes:?}");
            let in_order: Vec<AgentId> =
                parts.iter().flatten().flat_map(|table| table.ids).copied().collect();
            assert_eq!(in_order, crowd.ids);
        }
    }
}
