//! [`NeighborIndex`] and its queries.

use bevy::prelude::*;

use super::grid::{CellGrid, roomy_cell};
use crate::{
    bounds::Bounds,
    layers::SteeringLayers,
    number::AgentNumber,
    plane::{IntoPoint, SteeringPlane},
};

/// Everybody with [`SteeringLayers`] (so every agent), by place; rebuilt at the beginning of each tick.
///
/// Ask it from [`SteeringSystems::Decide`](crate::SteeringSystems::Decide) on, or from game code anywhere: it then
/// tells of the last tick. Distances are measured in the asker's plane, and the short way round where
/// [`WorldBounds`](crate::WorldBounds) wrap. Answers do not depend on threads, or on the order of entities.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// const PREY: SteeringLayers = SteeringLayers::layer(1);
/// fn explosion(index: Res<NeighborIndex>, mut commands: Commands) {
///     let here = NeighborQuery::at(Vec2::new(10.0, 20.0)).with_layers(PREY);
///     for neighbor in index.within(here, 50.0) {
///         commands.entity(neighbor.entity).despawn();
///     }
/// }
/// ```
#[derive(Resource, Debug, Default)]
pub struct NeighborIndex {
    planes: [PlaneIndex; SteeringPlane::ALL.len()],
    default_plane: SteeringPlane,
    bounds: Bounds,
    fastest: f32,
    largest: f32,
    spare: Vec<Entry>,
}

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
    /// Its velocity.
    pub velocity: Vec3,
    /// The radius of its body; zero if it is no agent.
    pub radius: f32,
    /// Whether it is an agent: has a [`Vehicle`](crate::Vehicle).
    pub is_agent: bool,
    /// What it is.
    pub layers: SteeringLayers,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) radius: f32,
    pub(crate) is_agent: bool,
    pub(crate) layers: SteeringLayers,
    pub(crate) number: AgentNumber,
    pub(crate) entity: Entity,
}

/// Everybody, sorted by the cells of one plane. Empty where no agent uses the plane.
#[derive(Debug, Default)]
struct PlaneIndex {
    grid: CellGrid,
    sorted: Vec<Entry>,
    built: bool,
}

impl NeighborIndex {
    /// Everybody no farther than `radius` units, in an order that is the same on every run but has no meaning.
    pub fn within(
        &self,
        query: impl Into<NeighborQuery>,
        radius: f32,
    ) -> impl Iterator<Item = Neighbor> + '_ {
        let query = query.into();
        let plane = self.usable(query.plane);
        let limit = radius * radius;
        let valid = radius >= 0.0 && query.center.is_finite();
        let reach = Vec3::splat(if valid { radius } else { 0.0 });
        let center = if valid { query.center } else { Vec3::ZERO };
        let index = &self.planes[plane as usize];
        index
            .grid
            .runs(center - reach, center + reach)
            .flat_map(move |run| &index.sorted[run])
            .filter(move |entry| {
                valid && entry.layers.overlaps(query.layers) && Some(entry.entity) != query.except
            })
            .filter_map(move |entry| {
                let offset = plane.flatten(entry.position - center);
                let offset = self.bounds.shortest(offset);
                let distance_squared = offset.length_squared();
                (distance_squared <= limit).then_some(Neighbor {
                    entity: entry.entity,
                    number: entry.number,
                    offset,
                    distance_squared,
                    velocity: entry.velocity,
                    radius: entry.radius,
                    is_agent: entry.is_agent,
                    layers: entry.layers,
                })
            })
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
        for (radius, last) in self.widening(&query, within) {
            found.clear();
            found.extend(self.within(query, radius));
            if found.len() >= count || last {
                break;
            }
        }
        found.sort_unstable_by(nearer);
        found.truncate(count);
        found
    }

    /// How many are indexed.
    pub fn len(&self) -> usize {
        self.planes[self.default_plane as usize].sorted.len()
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

    /// Radii to search one after the other, each twice the last, and whether it is the last.
    fn widening(
        &self,
        query: &NeighborQuery,
        within: f32,
    ) -> impl Iterator<Item = (f32, bool)> + '_ {
        let NeighborQuery { center, .. } = *query;
        let grid = &self.planes[self.usable(query.plane) as usize].grid;
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

    fn usable(&self, plane: Option<SteeringPlane>) -> SteeringPlane {
        let plane = plane.unwrap_or(self.default_plane);
        if self.planes[plane as usize].built { plane } else { self.default_plane }
    }

    pub(crate) fn take_entries(&mut self) -> Vec<Entry> {
        let mut entries = core::mem::take(&mut self.spare);
        entries.clear();
        entries
    }

    /// Builds the index of every plane in `used`, with cells as wide as searches of `widest` units like them, within reason.
    pub(crate) fn build(
        &mut self,
        mut entries: Vec<Entry>,
        default_plane: SteeringPlane,
        used: [bool; SteeringPlane::ALL.len()],
        bounds: &Bounds,
        widest: f32,
    ) {
        self.default_plane = default_plane;
        self.bounds = *bounds;
        // By number, so that nothing downstream depends on the order of archetypes. Mostly they come that way.
        if !entries.is_sorted_by_key(|entry| entry.number) {
            entries.sort_unstable_by_key(|entry| (entry.number, entry.entity));
        }
        self.fastest = entries
            .iter()
            .fold(0.0_f32, |most, entry| most.max(entry.velocity.length_squared()))
            .sqrt();
        self.largest = entries.iter().fold(0.0_f32, |most, entry| most.max(entry.radius));
        for plane in SteeringPlane::ALL {
            let index = &mut self.planes[plane as usize];
            index.built = used[plane as usize];
            index.sorted.clear();
            if !index.built {
                continue;
            }
            let place = |i: usize| entries[i].position;
            let roomy = roomy_cell(entries.len(), place, plane);
            let cell = widest.clamp(roomy, roomy * WIDEST_CELL);
            let order = index.grid.sort(entries.len(), place, plane, bounds, cell);
            index.sorted.extend(order.iter().map(|&i| entries[i as usize]));
        }
        self.spare = entries;
    }
}

/// No cell is wider than this many that would just be roomy: somebody who sees to the end of the world must not put all the
/// world into one cell for everybody else.
const WIDEST_CELL: f32 = 8.0;

fn nearer(a: &Neighbor, b: &Neighbor) -> core::cmp::Ordering {
    let by_distance = a.distance_squared.total_cmp(&b.distance_squared);
    by_distance.then(a.number.cmp(&b.number)).then(a.entity.cmp(&b.entity))
}
