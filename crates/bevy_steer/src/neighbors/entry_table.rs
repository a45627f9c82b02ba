//! The input of the index: the tables of the ECS, cut into one part per thread.

use bevy::prelude::*;

use crate::{
    agent::{
        AgentId, HeightSpan, IndexSlot, Motion, SteeringHeight, SteeringLayers, Vehicle, Velocity,
    },
    ecs::{Columns, columns_struct},
    space::{SteeringPlane, is_valid},
};

columns_struct! {
    /// Columns of some entities that are indexed.
    #[derive(Clone, Copy)]
    pub(super) struct Table<'a> {
        pub entities: &'a [Entity],
        pub transforms: &'a [Transform],
        pub layers: &'a [SteeringLayers],
        pub ids: &'a [AgentId],
        pub velocities: Option<&'a [Velocity]>,
        pub vehicles: Option<&'a [Vehicle]>,
        pub planes: Option<&'a [SteeringPlane]>,
        pub heights: Option<&'a [SteeringHeight]>,
        pub entries: Option<&'a [IndexSlot]>,
        /// Motions in the world, where the transforms are relative to a parent's.
        pub motions: Option<&'a [Motion]>,
    }
}

impl Table<'_> {
    pub(super) fn len(&self) -> usize {
        self.entities.len()
    }

    #[inline]
    pub(super) fn position(&self, row: usize) -> Vec3 {
        self.motions
            .map_or_else(|| self.transforms[row].translation, |motions| motions[row].position)
    }

    #[inline]
    pub(super) fn velocity(&self, row: usize) -> Vec3 {
        match self.motions {
            Some(motions) => motions[row].velocity,
            None => self.velocities.map_or(Vec3::ZERO, |velocities| velocities[row].0),
        }
    }

    /// Zero for an entity that is not an agent.
    #[inline]
    pub(super) fn radius(&self, row: usize) -> f32 {
        self.vehicles.map_or(0.0, |vehicles| body_radius(&vehicles[row]))
    }

    /// The same for all its rows.
    pub(super) fn kind(&self) -> EntryKind {
        match (self.vehicles, self.velocities) {
            (Some(_), _) => EntryKind::Agent,
            (None, Some(_)) => EntryKind::Mover,
            (None, None) => EntryKind::Thing,
        }
    }

    /// The height span of the entry in a row; NaN if it has no valid position.
    #[inline]
    pub(super) fn span(&self, row: usize, plane: SteeringPlane) -> HeightSpan {
        if !is_valid(self.position(row)) {
            return HeightSpan { low: f32::NAN, high: f32::NAN };
        }
        let own = self.heights.map(|heights| &heights[row]);
        let agent = self.vehicles.map(|vehicles| &vehicles[row]);
        let half = SteeringHeight::half(own, plane, agent);
        SteeringHeight::span(plane, self.position(row), half)
    }
}

/// What an entry is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// It has a [`Vehicle`].
    #[default]
    Agent,
    /// It has a [`Velocity`] and no vehicle.
    Mover,
    /// It has neither.
    Thing,
}

#[inline]
pub(super) fn body_radius(vehicle: &Vehicle) -> f32 {
    if vehicle.radius > 0.0 { vehicle.radius } else { 0.0 }
}

/// The tables, cut into parts of equal numbers of rows.
pub(super) fn parts<'a>(tables: &[Table<'a>], count: usize) -> Vec<Vec<Table<'a>>> {
    let total: usize = tables.iter().map(Table::len).sum();
    let part = |part: usize| {
        let (mut begin, mut end) = (total * part / count, total * (part + 1) / count);
        let cut = tables.iter().map(move |table| {
            let (from, to) = (begin.min(table.len()), end.min(table.len()));
            (begin, end) = (begin - from, end - to);
            table.split_at(to).0.split_at(from).1
        });
        cut.filter(|table| table.len() > 0).collect()
    };
    (0..count).map(part).collect()
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
