//! The queries of the [`NeighborIndex`].

use bevy::{math::ops, prelude::*};

use crate::neighbors::{
    NeighborIndex,
    nearest::{nearest, nearest_few},
    neighbor::{Neighbor, NeighborQuery},
    search::Search,
    within::Within,
};

impl NeighborIndex {
    /// All entities no farther than `radius` units, in an order that is the same on every run but
    /// has no meaning.
    #[inline]
    pub fn within(
        &self,
        query: impl Into<NeighborQuery>,
        radius: f32,
    ) -> impl Iterator<Item = Neighbor> + '_ {
        Within::new(Search::new(self, query.into(), radius))
    }

    /// The nearest entity no farther than `within` units; of several equally near the one with the
    /// lowest id.
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

    /// The `count` nearest entities no farther than `within` units, nearest first; equally near
    /// ones by id.
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
        let mut hits = Vec::with_capacity(count.saturating_mul(2).min(self.len()));
        loop {
            let search = Search::new(self, query, radius);
            nearest_few(&search, count, &mut hits);
            if hits.len() < count
                && let Some(wider) = search.wider(radius, within)
            {
                radius = wider;
                continue;
            }
            return hits.iter().take(count).map(|&one| search.neighbor(one)).collect();
        }
    }

    /// A radius that would hold `count` points and some more if all were spread evenly.
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
