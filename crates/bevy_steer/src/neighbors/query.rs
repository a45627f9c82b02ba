//! [`NeighborQuery`] and [`Neighbor`]: queries of the [`NeighborIndex`], and their results.

use bevy::prelude::*;

use crate::{
    agent::{AgentId, HeightSpan, SteeringLayers, builders},
    neighbors::{
        NeighborIndex,
        bounding_tree::BoundingTree,
        index::PlaneIndex,
        search::{Search, in_reach, nearest, nearest_few, nearest_few_of, point},
    },
    space::{Point, SteeringPlane},
};

/// A query: the place, the layers, and the plane in which distances are measured.
///
/// A `Vec3` or `Vec2` alone is a query for all entities around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeighborQuery {
    /// The place to search around. A `Vec2` is in the coordinates of `plane`.
    pub center: Point,
    /// Layers of the entities to find. Default all.
    pub layers: SteeringLayers,
    /// The plane in which distances are measured. Default `None`: the plugin's default plane.
    pub plane: Option<SteeringPlane>,
    /// An entity to leave out, usually the one that searches. Default none.
    pub except: Option<Entity>,
    /// From where to where the agent that searches reaches along the normal of the plane: only
    /// entities level with it are found. Default none: all are. For agents of one plane only, see
    /// [`Agent::beside`](crate::Agent::beside).
    pub span: Option<HeightSpan>,
}

impl NeighborQuery {
    /// All entities around a place.
    pub fn at(center: impl Into<Point>) -> Self {
        let center = center.into();
        Self { center, layers: SteeringLayers::ALL, plane: None, except: None, span: None }
    }

    builders! {
        /// Sets the layers of the entities that are found.
        with_layers(layers: SteeringLayers);
        /// Sets the height span of the entities that are found; `None` for all.
        with_span(span: impl Into<Option<HeightSpan>>);
        /// Sets the plane in which distances are measured; `None` for the plugin's.
        in_plane(plane: impl Into<Option<SteeringPlane>>);
        /// Leaves out this entity.
        except(except: impl Into<Option<Entity>>);
    }
}

impl<P: Into<Point>> From<P> for NeighborQuery {
    fn from(center: P) -> Self {
        Self::at(center)
    }
}

/// An entity that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// The entity.
    pub entity: Entity,
    /// Its stable identity.
    pub id: AgentId,
    /// The vector to it from the centre of the query, in the plane of the query, and the short way
    /// round in a wrapping world.
    pub offset: Vec3,
    /// The square of the length of `offset`.
    pub distance_squared: f32,
    /// Its velocity, in the plane of the query.
    pub velocity: Vec3,
    /// The radius of its body; zero if it is not an agent.
    pub radius: f32,
    /// Whether it is an agent: has a [`Vehicle`](crate::Vehicle).
    pub is_agent: bool,
    /// Whether it moves: has a [`Velocity`](crate::Velocity).
    pub moves: bool,
    /// Its layers.
    pub layers: SteeringLayers,
}

impl NeighborIndex {
    /// All entities no farther than `radius` units, in an order that is the same on every run but
    /// has no meaning.
    pub fn within(
        &self,
        query: impl Into<NeighborQuery>,
        radius: f32,
    ) -> impl Iterator<Item = Neighbor> + '_ {
        in_reach(Search::new(self, query.into(), radius))
    }

    /// The nearest entity no farther than `within` units; of several equally near the one with the
    /// lowest id.
    pub fn nearest(&self, query: impl Into<NeighborQuery>, within: f32) -> Option<Neighbor> {
        let query = query.into();
        if let Some(trees) = self.trees_of(&query) {
            let members: usize = trees.clone().map(|tree| tree.slots.len()).sum();
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
            let best = trees.fold(None, |best, tree| tree.nearest(&search, best));
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
        if let Some(trees) = self.trees_of(&query) {
            let members: usize = trees.clone().map(|tree| tree.slots.len()).sum();
            if members <= SEARCHED_ONE_BY_ONE.max(2 * count) {
                let search = Search::new(self, query, within);
                let slots = trees.flat_map(|tree| &tree.slots).map(|&slot| slot as usize);
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
    fn trees_of(
        &self,
        query: &NeighborQuery,
    ) -> Option<impl Iterator<Item = &BoundingTree> + Clone> {
        let wanted = match self.layers.same() {
            Some(all) if all & query.layers.0 != 0 => return None,
            Some(_) => 0,
            None => query.layers.0,
        };
        let plane = self.plane_index(query.plane);
        let layers = (0..32).filter(move |layer| wanted >> layer & 1 == 1);
        (wanted.count_ones() <= MAX_TREES).then(|| layers.map(|layer| self.of_layer(plane, layer)))
    }

    /// How much farther apart they are if only `members` of all count.
    fn spread(&self, query: &NeighborQuery, members: usize) -> f32 {
        let share = self.plane_index(query.plane).len as f32 / members as f32;
        self.usable(query.plane).side_of(share)
    }

    fn of_layer<'a>(&self, plane: &'a PlaneIndex, layer: usize) -> &'a BoundingTree {
        plane.of_layer[layer].get_or_init(|| {
            let has = |slot: &usize| self.layers.get(|| plane.entry(*slot)) >> layer & 1 == 1;
            let slots = (0..plane.len).filter(has).map(|slot| slot as u32).collect();
            BoundingTree::of(slots, |slot| point(&plane.positions, slot))
        })
    }

    /// A radius that would hold `count` points and some more if all were spread evenly.
    fn roomy_radius(&self, query: &NeighborQuery, count: usize) -> f32 {
        let plane = self.usable(query.plane);
        let index = &self.planes[plane as usize];
        let wanted = count as f32 * 1.3 + 1.5;
        let radius = index.room * plane.side_of(wanted);
        if radius.is_finite() && radius > 0.0 {
            return radius;
        }
        let axes = index.levels.iter().flat_map(|level| &level.grid.axes);
        axes.fold(f32::INFINITY, |width, axis| width.min(axis.cell))
    }
}

/// In more layers than these everything is searched.
const MAX_TREES: u32 = 4;
/// A layer with at least this share of all is common: one in this number.
const COMMON: usize = 8;
/// Up to this number all are looked at.
const SEARCHED_ONE_BY_ONE: usize = 64;

fn first_radius(roomy: f32, within: f32) -> Option<f32> {
    (within >= 0.0).then(|| roomy.min(within))
}
