//! Questions to the [`NeighborIndex`], and its answers.

use core::{cmp::Ordering, ops::Range};

use bevy::{math::ops, prelude::*};

use super::{NeighborIndex, Numbers, grid::Runs, index::PlaneIndex};
use crate::{
    bounds::shortest,
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
        self.widening(&query, 1, within).find_map(|(radius, _)| {
            let search = Search::new(self, query, radius);
            let mut nearest: Option<Spotted> = None;
            search.for_each(|spotted| {
                if nearest.is_none_or(|nearest| search.is_nearer(&spotted, &nearest)) {
                    nearest = Some(spotted);
                }
            });
            nearest.map(|nearest| search.neighbor(&nearest))
        })
    }

    /// The `count` nearest no farther than `within` units, nearest first; equally near ones by their number.
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
        let mut spotted = Vec::new();
        for (radius, last) in self.widening(&query, count, within) {
            let search = Search::new(self, query, radius);
            spotted.clear();
            search.for_each(|one| spotted.push(one));
            if spotted.len() < count && !last {
                continue;
            }
            let order = |a: &Spotted, b: &Spotted| search.order(a, b);
            if spotted.len() > count {
                spotted.select_nth_unstable_by(count - 1, order);
                spotted.truncate(count);
            }
            spotted.sort_unstable_by(order);
            return spotted.iter().map(|one| search.neighbor(one)).collect();
        }
        Vec::new()
    }

    /// Radii to search one after the other, each twice the last, and whether it is the last. The first would do for `count`
    /// if everybody stood evenly.
    fn widening(
        &self,
        query: &NeighborQuery,
        count: usize,
        within: f32,
    ) -> impl Iterator<Item = (f32, bool)> + '_ {
        let NeighborQuery { center, .. } = *query;
        let plane = self.usable(query.plane);
        let index = &self.planes[plane as usize];
        let grid = &index.grid;
        let wanted = count as f32 * 1.3 + 1.5;
        let room: f32 = plane.axes().map(|axis| grid.axes[axis].cell).product();
        let room = room * grid.bucket_count() as f32 / index.len.max(1) as f32 * wanted;
        // A disc or a ball with that much room.
        let first = if plane.is_planar() {
            (room / core::f32::consts::PI).sqrt()
        } else {
            ops::cbrt(room * 0.75 / core::f32::consts::PI)
        };
        let first = if first.is_finite() && first > 0.0 { first } else { grid.cell() };
        let mut next = (within >= 0.0).then(|| first.min(within));
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

/// Somebody in reach, by slot.
#[derive(Clone, Copy)]
struct Spotted {
    distance_squared: f32,
    slot: u32,
}

/// Who is in reach of one place.
struct Search<'a> {
    index: &'a NeighborIndex,
    plane: &'a PlaneIndex,
    space: SteeringPlane,
    /// The coordinates that the plane has.
    columns: [&'a [f32]; 3],
    periods: Vec3,
    center: Vec3,
    reach: Vec3,
    /// No number if the question makes no sense.
    limit: f32,
    /// The layers that count, unless that is everybody's; and who does not count.
    layers: Option<u32>,
    except: Option<Entity>,
}

impl<'a> Search<'a> {
    #[inline]
    fn new(index: &'a NeighborIndex, query: NeighborQuery, radius: f32) -> Self {
        let space = index.usable(query.plane);
        let plane = index.plane_index(query.plane);
        let valid = radius >= 0.0 && query.center.is_finite();
        let matches = |all: u32| SteeringLayers(all).overlaps(query.layers);
        Self {
            index,
            plane,
            space,
            columns: plane.positions.each_ref().map(Numbers::get),
            periods: index.bounds.periods(),
            center: if valid { space.flatten(query.center) } else { Vec3::ZERO },
            reach: Vec3::splat(if valid { radius } else { 0.0 }),
            limit: if valid { radius * radius } else { f32::NAN },
            layers: (!index.layers.same().is_some_and(matches)).then_some(query.layers.0),
            except: query.except,
        }
    }

    /// The way to this slot.
    #[inline(always)]
    fn offset(&self, slot: usize) -> Vec3 {
        shortest(self.space.embed(self.columns, slot) - self.center, self.periods)
    }

    /// Who is in this slot, if it is near enough and counts.
    #[inline(always)]
    fn examine(&self, slot: usize) -> Option<Spotted> {
        let distance_squared = self.offset(slot).length_squared();
        if distance_squared <= self.limit && self.counts(slot) {
            Some(Spotted { distance_squared, slot: slot as u32 })
        } else {
            None
        }
    }

    #[inline(always)]
    fn counts(&self, slot: usize) -> bool {
        if self.layers.is_none() && self.except.is_none() {
            return true;
        }
        let entry = self.plane.entry(slot);
        self.layers.is_none_or(|layers| layers & self.index.layers.get(entry) != 0)
            && self.except.is_none_or(|except| self.index.entities[entry] != except)
    }

    #[inline(always)]
    fn for_each(&self, mut f: impl FnMut(Spotted)) {
        let (min, max) = (self.center - self.reach, self.center + self.reach);
        self.plane.grid.for_each_run(min, max, |run| {
            for slot in run {
                if let Some(spotted) = self.examine(slot) {
                    f(spotted);
                }
            }
        });
    }

    /// By distance, then by number.
    fn order(&self, a: &Spotted, b: &Spotted) -> Ordering {
        a.distance_squared.total_cmp(&b.distance_squared).then_with(|| {
            let name = |one: &Spotted| {
                let entry = self.plane.entry(one.slot as usize);
                (self.index.numbers[entry], self.index.entities[entry])
            };
            name(a).cmp(&name(b))
        })
    }

    #[inline(always)]
    fn is_nearer(&self, a: &Spotted, b: &Spotted) -> bool {
        a.distance_squared < b.distance_squared
            || (a.distance_squared == b.distance_squared && self.order(a, b) == Ordering::Less)
    }

    #[inline(always)]
    fn neighbor(&self, spotted: &Spotted) -> Neighbor {
        let slot = spotted.slot as usize;
        let entry = self.plane.entry(slot);
        let radius = self.index.radii.get(entry);
        Neighbor {
            entity: self.index.entities[entry],
            number: self.index.numbers[entry],
            offset: self.offset(slot),
            distance_squared: spotted.distance_squared,
            velocity: self.space.embed(self.plane.velocities.each_ref().map(Numbers::get), slot),
            radius: radius.max(0.0),
            is_agent: radius >= 0.0,
            layers: SteeringLayers(self.index.layers.get(entry)),
        }
    }
}

/// See [`NeighborIndex::within`].
struct Found<'a> {
    search: Search<'a>,
    runs: Runs<'a>,
    run: Range<usize>,
}

impl<'a> Found<'a> {
    #[inline]
    fn new(search: Search<'a>) -> Self {
        let (min, max) = (search.center - search.reach, search.center + search.reach);
        Self { runs: search.plane.grid.runs(min, max), search, run: 0..0 }
    }
}

impl Iterator for Found<'_> {
    type Item = Neighbor;

    #[inline]
    fn next(&mut self) -> Option<Neighbor> {
        loop {
            while self.run.start < self.run.end {
                let slot = self.run.start;
                self.run.start += 1;
                if let Some(spotted) = self.search.examine(slot) {
                    return Some(self.search.neighbor(&spotted));
                }
            }
            self.run = self.runs.next()?;
        }
    }
}
