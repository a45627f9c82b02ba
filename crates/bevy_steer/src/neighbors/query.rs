//! Questions to the [`NeighborIndex`], and its answers.

use core::ops::Range;

use bevy::prelude::*;

use super::{NeighborIndex, grid::Runs, index::PlaneIndex};
use crate::{
    layers::SteeringLayers,
    number::AgentNumber,
    plane::{IntoPoint, SteeringPlane},
};

/// Who is asked for: around where, in which layers, measured in which plane.
///
/// A `Vec3` or `Vec2` alone asks for everybody around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborQuery {
    /// Around where.
    pub center: Vec3,
    /// Who counts. Default all.
    pub layers: SteeringLayers,
    /// In which plane distances are measured; `None` for the plugin's default plane, which is the default.
    pub plane: Option<SteeringPlane>,
    /// Whom to leave out, usually the asker. Default nobody.
    pub except: Option<Entity>,
}

impl NeighborQuery {
    /// Everybody around a place.
    pub fn at(center: impl IntoPoint) -> Self {
        Self { center: center.into_point(), layers: SteeringLayers::ALL, plane: None, except: None }
    }

    /// Only who is in one of these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: SteeringLayers) -> Self {
        self.layers = layers;
        self
    }

    /// With distances measured in this plane.
    #[must_use]
    pub fn in_plane(mut self, plane: SteeringPlane) -> Self {
        self.plane = Some(plane);
        self
    }

    /// Everybody but this entity.
    #[must_use]
    pub fn except(mut self, entity: Entity) -> Self {
        self.except = Some(entity);
        self
    }
}

impl<P: IntoPoint> From<P> for NeighborQuery {
    fn from(center: P) -> Self {
        Self::at(center)
    }
}

/// Somebody who was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub number: AgentNumber,
    /// The way from the place asked about to it: in the asker's plane, and the short way round in a wrapping world.
    pub offset: Vec3,
    /// The square of the length of `offset`.
    pub distance_squared: f32,
    /// Its velocity, in the asker's plane.
    pub velocity: Vec3,
    /// The radius of its body; zero if it is no agent.
    pub radius: f32,
    /// Whether it is an agent: has a [`Vehicle`](crate::Vehicle).
    pub is_agent: bool,
    /// What it is.
    pub layers: SteeringLayers,
}

impl NeighborIndex {
    /// Everybody no farther than `radius` units, in an order that is the same on every run but has no meaning.
    #[inline]
    pub fn within(
        &self,
        query: impl Into<NeighborQuery>,
        radius: f32,
    ) -> impl Iterator<Item = Neighbor> + '_ {
        let query = query.into();
        let found = Found::new(self, query, radius);
        found.filter(move |found| Some(found.entity) != query.except)
    }

    /// The nearest, if any is no farther than `within` units; of several equally near the one with the lowest number.
    pub fn nearest(&self, query: impl Into<NeighborQuery>, within: f32) -> Option<Neighbor> {
        let query = query.into();
        self.widening(&query, within)
            .find_map(|(radius, _)| self.within(query, radius).min_by(nearer))
    }

    /// The `count` nearest no farther than `within` units, nearest first; equally near ones by their number.
    pub fn nearest_k(
        &self,
        query: impl Into<NeighborQuery>,
        count: usize,
        within: f32,
    ) -> Vec<Neighbor> {
        let query = query.into();
        let mut found = Vec::new();
        if count == 0 {
            return found;
        }
        for (radius, last) in self.widening(&query, within) {
            found.clear();
            found.extend(self.within(query, radius));
            if found.len() >= count || last {
                break;
            }
        }
        if found.len() > count {
            found.select_nth_unstable_by(count - 1, nearer);
            found.truncate(count);
        }
        found.sort_unstable_by(nearer);
        found
    }

    /// Radii to search one after the other, each twice the last, and whether it is the last.
    fn widening(
        &self,
        query: &NeighborQuery,
        within: f32,
    ) -> impl Iterator<Item = (f32, bool)> + '_ {
        let NeighborQuery { center, .. } = *query;
        let grid = &self.plane_index(query.plane).grid;
        let mut next = (within >= 0.0).then(|| grid.cell().min(within));
        core::iter::from_fn(move || {
            let radius = next?;
            let wider = radius < within && !grid.is_everything(center - radius, center + radius);
            next = match next {
                _ if wider => Some((radius * 2.0).min(within)),
                Some(radius) if radius < within => Some(within),
                _ => None,
            };
            Some((radius, next.is_none()))
        })
    }
}

fn nearer(a: &Neighbor, b: &Neighbor) -> core::cmp::Ordering {
    let by_distance = a.distance_squared.total_cmp(&b.distance_squared);
    by_distance.then(a.number.cmp(&b.number)).then(a.entity.cmp(&b.entity))
}

/// See [`NeighborIndex::within`].
struct Found<'a> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    space: SteeringPlane,
    center: Vec3,
    limit: f32,
    layers: SteeringLayers,
    runs: Runs<'a>,
    run: Range<usize>,
}

impl<'a> Found<'a> {
    #[inline]
    fn new(index: &'a NeighborIndex, query: NeighborQuery, radius: f32) -> Self {
        let space = index.usable(query.plane);
        let plane = index.plane_index(query.plane);
        let valid = radius >= 0.0 && query.center.is_finite();
        let reach = Vec3::splat(if valid { radius } else { 0.0 });
        let center = if valid { space.flatten(query.center) } else { Vec3::ZERO };
        Self {
            index,
            plane,
            space,
            center,
            limit: if valid { radius * radius } else { f32::NAN },
            layers: query.layers,
            runs: plane.grid.runs(center - reach, center + reach),
            run: 0..0,
        }
    }

    /// The point of this slot if it is near enough.
    #[inline(always)]
    fn examine(&self, slot: usize) -> Option<Neighbor> {
        let place = self.space.embed(&self.plane.positions, slot);
        let offset = self.index.bounds.shortest(place - self.center);
        let distance_squared = offset.length_squared();
        if distance_squared.is_nan() || distance_squared > self.limit || self.limit.is_nan() {
            return None;
        }
        let entry = self.plane.entry(slot);
        let layers = SteeringLayers(self.index.layers.get(entry));
        if !layers.overlaps(self.layers) {
            return None;
        }
        let radius = self.index.radii.get(entry);
        Some(Neighbor {
            entity: self.index.entities[entry],
            number: self.index.numbers[entry],
            offset,
            distance_squared,
            velocity: self.space.embed(&self.plane.velocities, slot),
            radius: radius.max(0.0),
            is_agent: radius >= 0.0,
            layers,
        })
    }
}

impl Iterator for Found<'_> {
    type Item = Neighbor;

    #[inline]
    fn next(&mut self) -> Option<Neighbor> {
        loop {
            while let Some(slot) = self.run.next() {
                if let Some(found) = self.examine(slot) {
                    return Some(found);
                }
            }
            self.run = self.runs.next()?;
        }
    }
}
