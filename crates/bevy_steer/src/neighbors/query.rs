//! Questions to the [`NeighborIndex`], and its answers.

use core::{cmp::Ordering, ops::Range};

use bevy::{math::ops, prelude::*};

use super::{NeighborIndex, Numbers, grid::Runs, index::PlaneIndex};
use crate::{
    bounds::{ONCE_ROUND, around},
    lanes::{Kernel, Lanes, WIDTH, dispatch, vector::abs},
    layers::SteeringLayers,
    number::AgentNumber,
    plane::{IntoPoint, SteeringPlane},
    rows::block,
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
            let mut nearest: Option<Spotted> = None;
            search.for_each(|spotted| {
                if nearest.is_none_or(|nearest| search.is_nearer(&spotted, &nearest)) {
                    nearest = Some(spotted);
                }
            });
            if let Some(nearest) = nearest {
                return Some(search.neighbor(&nearest));
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
            spotted.clear();
            search.for_each(|one| spotted.push(one));
            if spotted.len() < count
                && let Some(wider) = search.wider(radius, within)
            {
                radius = wider;
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
    }

    /// A radius in which there would be `count` and some more if everybody stood evenly.
    fn roomy_radius(&self, query: &NeighborQuery, count: usize) -> f32 {
        let plane = self.usable(query.plane);
        let index = &self.planes[plane as usize];
        let grid = &index.grid;
        let wanted = count as f32 * 1.3 + 1.5;
        let room: f32 = plane.axes().map(|axis| grid.axes[axis].cell).product();
        let room = room * grid.bucket_count() as f32 / index.len.max(1) as f32 * wanted;
        // A disc or a ball with that much room.
        let radius = if plane.is_planar() {
            (room / core::f32::consts::PI).sqrt()
        } else {
            ops::cbrt(room * 0.75 / core::f32::consts::PI)
        };
        if radius.is_finite() && radius > 0.0 { radius } else { grid.cell() }
    }
}

fn first_radius(roomy: f32, within: f32) -> Option<f32> {
    (within >= 0.0).then(|| roomy.min(within))
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
    /// The coordinates that the plane has, two or three; of the centre and the periods too.
    columns: [&'a [f32]; 3],
    center: [f32; 3],
    periods: [f32; 3],
    /// The corners of a box about the centre.
    corners: (Vec3, Vec3),
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
        let center = if valid { space.flatten(query.center) } else { Vec3::ZERO };
        let reach = Vec3::splat(if valid { radius } else { 0.0 });
        Self {
            index,
            plane,
            space,
            columns: plane.positions.each_ref().map(Numbers::get),
            center: space.project(center),
            periods: space.project(index.bounds.periods()),
            corners: (center - reach, center + reach),
            limit: if valid { radius * radius } else { f32::NAN },
            layers: (!index.layers.same().is_some_and(matches)).then_some(query.layers.0),
            except: query.except,
        }
    }

    /// The next radius to search, if there is any sense in it.
    fn wider(&self, radius: f32, within: f32) -> Option<f32> {
        let is_last = self.limit.is_nan() || radius >= within;
        if is_last {
            return None;
        }
        let (min, max) = self.corners;
        Some(if self.plane.grid.is_everything(min, max) {
            within
        } else {
            (radius * 1.6).min(within)
        })
    }

    /// The way to this slot, by the coordinates of the plane.
    #[inline(always)]
    fn offset(&self, slot: usize) -> [f32; 3] {
        let along = |d: usize| around(self.columns[d][slot] - self.center[d], self.periods[d]);
        [along(0), along(1), if self.space.is_planar() { 0.0 } else { along(2) }]
    }

    /// Who is in this slot, if it is near enough and counts.
    #[inline(always)]
    fn examine(&self, slot: usize) -> Option<Spotted> {
        let [x, y, z] = self.offset(slot);
        let distance_squared = x * x + y * y + z * z;
        if distance_squared <= self.limit && self.counts(slot) {
            Some(Spotted { distance_squared, slot: slot as u32 })
        } else {
            None
        }
    }

    /// Who of up to 64 slots may be near enough, one bit each; for the others it is certain that they are not.
    #[inline(always)]
    fn glance(&self, slots: Range<usize>) -> u64 {
        let count = slots.end - slots.start;
        if count < WORTH_LANES { u64::MAX >> (64 - count) } else { dispatch(Glance(self, slots)) }
    }

    #[inline(always)]
    fn counts(&self, slot: usize) -> bool {
        self.layers
            .is_none_or(|layers| layers & self.index.layers.get(|| self.plane.entry(slot)) != 0)
            && self.except.is_none_or(|except| self.plane.who(slot).entity != except)
    }

    #[inline(always)]
    fn for_each(&self, mut f: impl FnMut(Spotted)) {
        let (min, max) = self.corners;
        self.plane.grid.for_each_run(min, max, |run| self.for_each_in(run, &mut f));
    }

    #[inline(always)]
    fn for_each_in(&self, mut run: Range<usize>, mut f: impl FnMut(Spotted)) {
        while let Some((first, mut candidates)) = self.take(&mut run) {
            while candidates != 0 {
                let slot = first + candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                if let Some(spotted) = self.examine(slot) {
                    f(spotted);
                }
            }
        }
    }

    /// Takes up to 64 slots off a run: the first, and who of them may be near enough.
    #[inline(always)]
    fn take(&self, run: &mut Range<usize>) -> Option<(usize, u64)> {
        let first = run.start;
        let end = run.end.min(first + 64);
        run.start = end;
        (first < end).then(|| (first, self.glance(first..end)))
    }

    /// By distance, then by number.
    fn order(&self, a: &Spotted, b: &Spotted) -> Ordering {
        a.distance_squared
            .total_cmp(&b.distance_squared)
            .then_with(|| self.plane.who(a.slot as usize).cmp(&self.plane.who(b.slot as usize)))
    }

    #[inline(always)]
    fn is_nearer(&self, a: &Spotted, b: &Spotted) -> bool {
        a.distance_squared < b.distance_squared
            || (a.distance_squared == b.distance_squared && self.order(a, b) == Ordering::Less)
    }

    #[inline(always)]
    fn velocity(&self, slot: usize) -> Vec3 {
        let [x, y, z] = self.plane.velocities.each_ref().map(Numbers::get);
        let z = if self.space.is_planar() { 0.0 } else { z[slot] };
        self.space.unproject([x[slot], y[slot], z])
    }

    #[inline(always)]
    fn neighbor(&self, spotted: &Spotted) -> Neighbor {
        let slot = spotted.slot as usize;
        let who = self.plane.who(slot);
        let radius = self.index.radii.get(|| self.plane.entry(slot));
        Neighbor {
            entity: who.entity,
            number: who.number,
            offset: self.space.unproject(self.offset(slot)),
            distance_squared: spotted.distance_squared,
            velocity: self.velocity(slot),
            radius: radius.max(0.0),
            is_agent: radius >= 0.0,
            layers: SteeringLayers(self.index.layers.get(|| self.plane.entry(slot))),
        }
    }
}

/// Fewer slots than this are not worth the way to the lanes.
const WORTH_LANES: usize = 6;

/// See [`Search::glance`].
struct Glance<'s, 'a>(&'s Search<'a>, Range<usize>);

impl Kernel for Glance<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> u64 {
        let Self(search, slots) = self;
        let dimensions = if search.space.is_planar() { 2 } else { 3 };
        let limit = l.splat(search.limit);
        let mut near = 0;
        let mut first = slots.start;
        while first < slots.end {
            let mut squared = l.splat(0.0);
            let mut is_far_round = l.mask(0);
            for d in 0..dimensions {
                let period = search.periods[d];
                let mut along =
                    l.sub(l.pack(*block(search.columns[d], first)), l.splat(search.center[d]));
                if period < f32::INFINITY {
                    let length = abs(l, along);
                    let is_round = l.lt(l.splat(0.5 * period), length);
                    // More than once round is left to who looks closely.
                    is_far_round =
                        l.either(is_far_round, l.lt(l.splat(ONCE_ROUND * period), length));
                    let shorter = l.sub(along, l.copysign(l.splat(period), along));
                    along = l.select(is_round, shorter, along);
                }
                squared = l.add(squared, l.mul(along, along));
            }
            let may = l.bits(l.either(l.le(squared, limit), is_far_round));
            near |= u64::from(may) << (first - slots.start);
            first += WIDTH;
        }
        near & u64::MAX >> (64 - (slots.end - slots.start))
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
        let (min, max) = search.corners;
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

    /// All the rest in one go, which is quicker than one by one: what `for_each`, `map`, `count` and the like come down to.
    #[inline]
    fn fold<B, F: FnMut(B, Neighbor) -> B>(self, init: B, mut f: F) -> B {
        let Self { search, runs, run } = self;
        let mut folded = Some(init);
        let mut add = |run: Range<usize>| {
            search.for_each_in(run, |spotted| {
                folded = folded.take().map(|folded| f(folded, search.neighbor(&spotted)));
            });
        };
        add(run);
        runs.for_each(&mut add);
        folded.expect("what was put in")
    }
}
