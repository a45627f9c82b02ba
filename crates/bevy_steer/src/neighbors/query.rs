//! Questions to the [`NeighborIndex`], and its answers.

use bevy::{math::ops, prelude::*};

use super::{
    NeighborIndex,
    found::Found,
    nearest::{nearest, nearest_few},
    search::Search,
};
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
        Found::new(Search::new(self, query.into(), radius))
    }

    /// The nearest, if any is no farther than `within` units; of several equally near the one with the lowest number.
    pub fn nearest(&self, query: impl Into<NeighborQuery>, within: f32) -> Option<Neighbor> {
        let query = query.into();
        let mut radius = first_radius(self.roomy_radius(&query, 1), within)?;
        loop {
            let search = Search::new(self, query, radius);
            if let Some(nearest) = nearest(&search) {
                return Some(search.neighbor(nearest));
            }
            radius = search.wider(radius, within)?;
        }
    }

    /// The `count` nearest no farther than `within` units, nearest first; equally near ones by their number.
    pub fn nearest_k(
        &self,
        query: impl Into<NeighborQuery>,
        count: usize,
        within: f32,
    ) -> Vec<Neighbor> {
        let query = query.into();
        let roomy = self.roomy_radius(&query, count);
        let Some(mut radius) = first_radius(roomy, within).filter(|_| count > 0) else {
            return Vec::new();
        };
        let mut spotted = Vec::with_capacity(count.saturating_mul(2).min(self.len()));
        loop {
            let search = Search::new(self, query, radius);
            nearest_few(&search, count, &mut spotted);
            if spotted.len() < count
                && let Some(wider) = search.wider(radius, within)
            {
                radius = wider;
                continue;
            }
            return spotted.iter().take(count).map(|&one| search.neighbor(one)).collect();
        }
    }

    /// A radius in which there would be `count` and some more if everybody stood evenly.
    fn roomy_radius(&self, query: &NeighborQuery, count: usize) -> f32 {
        let plane = self.usable(query.plane);
        let index = &self.planes[plane as usize];
        let wanted = count as f32 * 1.3 + 1.5;
        let times = if plane.is_planar() { wanted.sqrt() } else { ops::cbrt(wanted) };
        let radius = index.room * times;
        if radius.is_finite() && radius > 0.0 { radius } else { index.grid.cell() }
    }
}

fn first_radius(roomy: f32, within: f32) -> Option<f32> {
    (within >= 0.0).then(|| roomy.min(within))
}
