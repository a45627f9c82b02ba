//! The queries of the [`NeighborIndex`].

use bevy::prelude::*;

use crate::neighbors::{
    NeighborIndex,
    group::{Group, Node},
    index::PlaneIndex,
    nearest::{nearest, nearest_few, nearest_few_of, nearest_of},
    neighbor::{Neighbor, NeighborQuery},
    search::{Search, point},
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
        if let Some(groups) = self.groups(&query) {
            let members: usize = groups.clone().map(Group::len).sum();
            // Where they are many, one is most likely near.
            if members * COMMON > self.plane_index(query.plane).len {
                let roomy = self.roomy_radius(&query, 2) * self.spread(&query, members);
                let radius = first_radius(roomy, within)?;
                let search = Search::new(self, query, radius);
                let nearest = nearest(&search).map(|nearest| search.neighbor(nearest));
                if nearest.is_some() || radius >= within {
                    return nearest;
                }
            }
            let search = Search::new(self, query, within);
            let best = groups.fold(None, |best, group| nearest_of(group, &search, best));
            return best.map(|nearest| search.neighbor(nearest));
        }
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
        if count == 0 {
            return Vec::new();
        }
        let mut roomy = self.roomy_radius(&query, count);
        if let Some(groups) = self.groups(&query) {
            let members: usize = groups.clone().map(Group::len).sum();
            if members <= FEW.max(2 * count) {
                let search = Search::new(self, query, within);
                let slots = groups.flat_map(Group::slots);
                let hits = nearest_few_of(&search, count, slots).into_iter().take(count);
                return hits.map(|one| search.neighbor(one)).collect();
            }
            roomy *= self.spread(&query, members);
        }
        let Some(mut radius) = first_radius(roomy, within) else {
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

    /// All that are in the layers of a query, by layer, where not all are and these are few layers.
    #[inline(always)]
    fn groups(&self, query: &NeighborQuery) -> Option<impl Iterator<Item = &Group> + Clone> {
        let wanted = match self.layers.same() {
            Some(all) if all & query.layers.0 != 0 => return None,
            Some(_) => 0,
            None => query.layers.0,
        };
        let plane = self.plane_index(query.plane);
        let layers = (0..32).filter(move |layer| wanted >> layer & 1 == 1);
        (wanted.count_ones() <= MOST_GROUPS)
            .then(|| layers.map(|layer| self.of_layer(plane, layer)))
    }

    /// How much farther apart they are if so many of all count.
    fn spread(&self, query: &NeighborQuery, members: usize) -> f32 {
        let share = self.plane_index(query.plane).len as f32 / members as f32;
        self.usable(query.plane).side_of(share)
    }

    fn of_layer<'a>(&self, plane: &'a PlaneIndex, layer: usize) -> &'a Group {
        plane.of_layer[layer].get_or_init(|| {
            let has = |slot: &usize| self.layers.get(|| plane.entry(*slot)) >> layer & 1 == 1;
            let slots = (0..plane.len).filter(has).map(|slot| slot as u32).collect();
            Group::of(slots, |slot| Node::at(point(&plane.positions, slot)))
        })
    }

    /// A radius that would hold `count` points and some more if all were spread evenly.
    pub(super) fn roomy_radius(&self, query: &NeighborQuery, count: usize) -> f32 {
        let plane = self.usable(query.plane);
        let index = &self.planes[plane as usize];
        let wanted = count as f32 * 1.3 + 1.5;
        let radius = index.room * plane.side_of(wanted);
        if radius.is_finite() && radius > 0.0 {
            return radius;
        }
        let cells = index.storeys.iter().map(|storey| storey.grid.cell());
        cells.fold(f32::INFINITY, f32::min)
    }
}

/// In more layers than these everything is searched.
const MOST_GROUPS: u32 = 4;
/// One in so many is common.
const COMMON: usize = 8;
/// So few are looked at all.
const FEW: usize = 64;

fn first_radius(roomy: f32, within: f32) -> Option<f32> {
    (within >= 0.0).then(|| roomy.min(within))
}
