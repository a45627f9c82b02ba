//! The obstacles and walls near an agent: all that its behaviours need, found by one search. A
//! [`ReachBlock`] tells whether anything may be near any of eight agents; usually nothing is.

use bevy::prelude::*;

use crate::{
    agent::{HeightSpan, SurfaceReach},
    obstacles::{
        index::ObstacleIndex,
        level::{Hull, Region},
        shape::PlacedObstacle,
    },
    simd::{Lanes, Vector, at, each, unpacked, unset_lanes},
    space::{SteeringPlane, direction, segment_gap, shortest},
};

/// An agent is told of at most this many obstacles and walls.
pub(crate) const MAX_SURFACES: usize = 16;

/// What an agent looks for, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceSearch {
    pub position: Vec3,
    pub velocity: Vec3,
    pub plane: SteeringPlane,
    /// Of its world.
    pub periods: Vec3,
    /// From where to where it reaches along the normal of its plane.
    pub span: HeightSpan,
    /// Itself, which may be an obstacle too.
    pub except: Entity,
    pub reach: SurfaceReach,
}

/// An obstacle or wall near an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FoundSurface {
    /// Its index among all that are placed.
    pub obstacle: u32,
    /// The distance of its surface, in units; below zero inside.
    pub distance: f32,
    /// The unit vector away from it, in the agent's plane; zero in the middle of what is round.
    pub normal: Vec3,
}

impl SurfaceSearch {
    /// Where obstacles matter that move no faster than this.
    fn region(&self, fastest: f32) -> Region {
        let SurfaceReach { around, look_ahead, clearance, .. } = self.reach;
        Region {
            center: self.position,
            around,
            path: self.velocity * look_ahead,
            clearance: clearance + fastest * look_ahead,
        }
    }

    /// The distance and the normal of an obstacle that matters.
    fn surface(&self, obstacle: &PlacedObstacle) -> Option<(f32, Vec3)> {
        let SurfaceReach { around, look_ahead, clearance, layers, .. } = self.reach;
        if !obstacle.layers.overlaps(layers) || obstacle.entity == self.except {
            return None;
        }
        let plane = obstacle.plane(self.plane);
        let to = |place: Vec3| {
            plane.flatten(shortest(self.plane.flatten(place - self.position), self.periods))
        };
        let from = -to(obstacle.position);
        let (distance, away) = obstacle.shape.distance(from, &obstacle.axes, plane);
        let comes_near = || {
            let Hull { center, spine, thickness } = Hull::of(obstacle, plane);
            let relative = self.velocity - self.plane.flatten(obstacle.velocity);
            let path = (Vec3::ZERO, plane.flatten(relative) * look_ahead);
            let gap = segment_gap(path, (to(center) - spine, spine * 2.0));
            gap.length() <= clearance + thickness + obstacle.swing() * look_ahead
        };
        let matters = (distance <= around || look_ahead > 0.0 && comes_near())
            && self.is_level_with(obstacle);
        matters.then(|| (distance, direction(self.plane.flatten(away))))
    }

    /// Whether an obstacle reaches into the height of the agent; see
    /// [`SteeringHeight`](crate::SteeringHeight).
    fn is_level_with(&self, obstacle: &PlacedObstacle) -> bool {
        let Self { plane, span, .. } = *self;
        let PlacedObstacle { position, shape, ref axes, rise, taller, .. } = *obstacle;
        if !plane.is_planar() || rise == f32::INFINITY {
            return true;
        }
        let [.., level] = plane.project(position + shape.center(axes));
        let half = shape.extent(plane.normal(), axes, SteeringPlane::Free) + taller;
        span.meets(HeightSpan { low: level - half, high: level + half + rise })
    }
}

impl ObstacleIndex {
    /// The obstacle or wall that was found.
    #[inline]
    pub(crate) fn placed(&self, found: &FoundSurface) -> &PlacedObstacle {
        &self.placed[found.obstacle as usize]
    }

    /// Adds the obstacles and walls that an agent looks for to a list, the nearest ones first, and
    /// of those that are equally near the ones that come first by their properties.
    pub(crate) fn find_near(&self, search: &SurfaceSearch, list: &mut Vec<FoundSurface>) {
        #[cfg(test)]
        SEARCHES.set(SEARCHES.get() + 1);
        let first = list.len();
        for level in &self.levels {
            let mut region = search.region(level.fastest);
            region.around += level.rounding;
            level.near(&region).for_each(|obstacle| {
                let surface = search.surface(&self.placed[obstacle as usize]);
                let Some((distance, normal)) = surface else { return };
                let found = &list[first..];
                let place = first + found.partition_point(|other| other.distance <= distance);
                if place < first + MAX_SURFACES {
                    list.insert(place, FoundSurface { obstacle, distance, normal });
                    list.truncate(first + MAX_SURFACES);
                }
            });
        }
    }
}

#[cfg(test)]
thread_local! {
    /// How often this thread has searched.
    pub(crate) static SEARCHES: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// How far eight agents look, and their paths.
#[derive(Clone, Copy)]
pub(crate) struct ReachBlock<L: Lanes> {
    pub position: Vector<L>,
    pub path: Vector<L>,
    pub around: L::F,
    pub look_ahead: L::F,
    pub clearance: L::F,
}

impl ObstacleIndex {
    /// Which of eight agents may have an obstacle or wall near them, whatever its layers and
    /// height. The others surely have none.
    #[inline(always)]
    pub(crate) fn may_find<L: Lanes>(&self, l: L, asked: u8, reach: &ReachBlock<L>) -> u8 {
        let ReachBlock { position, path, around, look_ahead, clearance } = *reach;
        let (positions, paths) = (unpacked(l, position), unpacked(l, path));
        let mut may_find = 0;
        for level in &self.levels {
            let around = l.add(around, l.splat(level.rounding));
            let clearance = l.add(clearance, l.mul(l.splat(level.fastest), look_ahead));
            let (arounds, clearances) = (l.unpack(around), l.unpack(clearance));
            let mut is_usual = l.bits_to_mask(u8::MAX);
            let spans = each!(d => {
                let axis = &level.grid.axes[d];
                let end = l.add(position[d], path[d]);
                let low = l.min(l.sub(position[d], around), l.sub(l.min(position[d], end), clearance));
                let high = l.max(l.add(position[d], around), l.add(l.max(position[d], end), clearance));
                let (low, high) =
                    (l.sub(low, l.splat(level.largest)), l.add(high, l.splat(level.largest)));
                // As in `Axis::cells`.
                let slack = l.add(l.max(l.abs(low), l.abs(high)), l.splat(axis.origin.abs()));
                let slack = l.mul(slack, l.splat(4.0 * f32::EPSILON));
                let cell = |x: L::F| l.mul(l.sub(x, l.splat(axis.origin)), l.splat(axis.per_unit));
                let (low, high) = (cell(l.sub(low, slack)), cell(l.add(high, slack)));
                let zero = l.splat(0.0);
                // Otherwise there may be something beyond the end of the table or the seam of a
                // world.
                let is_in = l.and(l.le(zero, low), l.lt(high, l.splat(axis.buckets as f32)));
                let everywhere = l.bits_to_mask(if level.is_in_table[d] { u8::MAX } else { 0 });
                let width = l.sub(high, low);
                let is_some = l.and(l.le(zero, width), l.le(width, l.splat(f32::MAX)));
                is_usual = l.and(is_usual, l.and(l.or(everywhere, is_in), is_some));
                let last = l.splat((axis.buckets - 1) as f32);
                let low = l.min(l.max(low, zero), last);
                let high = l.min(l.max(high, low), last);
                (l.whole(low), l.whole(high))
            });
            let is_usual = l.bits(is_usual);
            may_find |= asked & !is_usual;
            for i in unset_lanes(!(asked & is_usual & !may_find)) {
                let buckets = spans.each_ref().map(|(low, high)| (low[i], high[i]));
                let (center, path) = (at(&positions, i), at(&paths, i));
                let region = Region { center, around: arounds[i], path, clearance: clearances[i] };
                may_find |= u8::from(level.has_any_in(buckets, &region)) << i;
            }
        }
        may_find
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::SteeringLayers,
        obstacles::shape::{Obstacle, ObstacleShape},
        simd::{Portable, WIDTH, pack, vector},
        space::{
            Bounds, BoundsEdge,
            SteeringPlane::{Free, Xy, Xz},
            local_axes,
        },
    };
    use core::array::from_fn;

    /// Pseudo-random numbers.
    struct Random(u32);

    impl Random {
        fn unit(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 24) as f32
        }

        fn vector(&mut self, half: f32) -> Vec3 {
            Vec3::from(from_fn(|_| (2.0 * self.unit() - 1.0) * half))
        }

        fn one_in(&mut self, count: u32) -> bool {
            self.unit() * (count as f32) < 1.0
        }

        /// An obstacle or wall of any kind in a cube of this half size.
        fn obstacle(&mut self, number: u32, half: f32, plane: SteeringPlane) -> PlacedObstacle {
            let size =
                0.2 + 3.0 * self.unit() * self.unit() * if self.one_in(20) { 6.0 } else { 1.0 };
            let shape = match (self.unit() * 4.0) as u32 {
                0 => Obstacle::sphere(size).shape,
                1 => Obstacle::cuboid(self.vector(size).abs() * 2.0).shape,
                2 => Obstacle::capsule(0.3 * size, 2.0 * size).shape,
                _ => ObstacleShape::Segment {
                    start: self.vector(3.0 * size),
                    end: self.vector(3.0 * size),
                },
            };
            let is_wall = matches!(shape, ObstacleShape::Segment { .. });
            let turn = self.unit() * 6.0;
            let rotation = if plane == Free {
                Quat::from_euler(EulerRot::XYZ, turn, self.unit(), 2.0)
            } else {
                Quat::from_axis_angle(plane.normal(), turn)
            };
            PlacedObstacle {
                entity: Entity::from_raw_u32(number).unwrap(),
                position: self.vector(half),
                velocity: if self.one_in(4) { self.vector(4.0) } else { Vec3::ZERO },
                spin: Vec3::ZERO,
                shape,
                is_wall,
                layers: SteeringLayers(1 << (number % 3)),
                rise: if is_wall && self.one_in(2) { 4.0 } else { 0.0 },
                taller: 0.0,
                axes: local_axes(rotation),
                bounding_radius: shape.bounding_radius(),
            }
        }

        fn search(&mut self, half: f32, plane: SteeringPlane, bounds: &Bounds) -> SurfaceSearch {
            let position = self.vector(half);
            let [.., level] = plane.project(position);
            let tall = if self.one_in(3) { f32::INFINITY } else { 6.0 };
            let mut reach = || if self.one_in(4) { 0.0 } else { self.unit() };
            let (around, look_ahead, clearance) = (6.0 * reach(), 1.5 * reach(), 2.0 * reach());
            SurfaceSearch {
                position,
                velocity: plane.flatten(self.vector(4.0)),
                plane,
                periods: bounds.periods(),
                span: HeightSpan { low: level - tall, high: level + tall },
                except: Entity::from_raw_u32(5).unwrap(),
                reach: SurfaceReach {
                    look_ahead,
                    clearance,
                    layers: SteeringLayers(0b011),
                    ..SurfaceReach::around(around)
                },
            }
        }
    }

    /// Worlds of obstacles of all kinds: in all spaces, endless and repeating.
    fn worlds() -> Vec<(SteeringPlane, Bounds, ObstacleIndex)> {
        const HALF: f32 = 30.0;
        let wraps = Bounds::cuboid(Vec3::splat(-HALF), Vec3::splat(HALF), BoundsEdge::Wrap);
        let mut random = Random(7);
        let mut worlds = Vec::new();
        for plane in [Xy, Xz, Free] {
            for (bounds, count) in [(Bounds::UNBOUNDED, 5), (Bounds::UNBOUNDED, 1500), (wraps, 600)]
            {
                let obstacle = |number| random.obstacle(number, HALF, plane);
                let index = ObstacleIndex::of((0..count).map(obstacle).collect(), plane, &bounds);
                worlds.push((plane, bounds, index));
            }
        }
        worlds
    }

    fn found(index: &ObstacleIndex, search: &SurfaceSearch) -> Vec<FoundSurface> {
        let mut list = Vec::new();
        index.find_near(search, &mut list);
        list
    }

    #[test]
    fn lists_are_what_a_look_at_all_obstacles_finds() {
        let mut random = Random(3);
        let (mut some, mut full, mut ahead) = (0, 0, 0);
        for (plane, bounds, index) in worlds() {
            for _ in 0..300 {
                let search = random.search(32.0, plane, &bounds);
                let list = found(&index, &search);
                let mut all: Vec<(f32, Entity)> = index
                    .iter()
                    .filter_map(|one| Some((search.surface(one)?.0, one.entity)))
                    .collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0));
                full += usize::from(all.len() > MAX_SURFACES);
                all.truncate(MAX_SURFACES);
                let list: Vec<(f32, Entity)> =
                    list.iter().map(|one| (one.distance, index.placed(one).entity)).collect();
                assert_eq!(list, all, "{plane:?} {search:?}");
                some += list.len();
                ahead += list.iter().filter(|one| one.0 > search.reach.around).count();
            }
        }
        assert!(some > 3000 && full > 20 && ahead > 300, "{some} {full} {ahead}");
    }

    #[test]
    fn lists_do_not_depend_on_what_is_far_away_or_on_order() {
        let mut random = Random(11);
        for (plane, bounds, index) in worlds() {
            let mut more: Vec<_> = index.placed.iter().rev().copied().collect();
            if bounds == Bounds::UNBOUNDED {
                more.extend((0..400).map(|i| {
                    let mut far = random.obstacle(1000 + i, 30.0, plane);
                    far.position += Vec3::splat(500.0);
                    far
                }));
            }
            let other = ObstacleIndex::of(more, plane, &bounds);
            for _ in 0..100 {
                let search = random.search(32.0, plane, &bounds);
                let entities = |index: &ObstacleIndex| -> Vec<_> {
                    let list = found(index, &search);
                    list.iter().map(|one| (index.placed(one).entity, one.distance)).collect()
                };
                assert_eq!(entities(&index), entities(&other), "{plane:?}");
            }
        }
    }

    fn may_find(index: &ObstacleIndex, searches: &[SurfaceSearch; WIDTH]) -> u8 {
        let l = Portable;
        let reach = ReachBlock {
            position: vector!(l, i => searches[i].plane.flatten(searches[i].position)),
            path: vector!(l, i => searches[i].velocity * searches[i].reach.look_ahead),
            around: pack!(l, i => searches[i].reach.around),
            look_ahead: pack!(l, i => searches[i].reach.look_ahead),
            clearance: pack!(l, i => searches[i].reach.clearance),
        };
        index.may_find(l, u8::MAX, &reach)
    }

    #[test]
    fn eight_agents_are_near_nothing_only_where_there_is_nothing() {
        let mut random = Random(5);
        let mut all_told = 0;
        for (plane, bounds, index) in worlds() {
            let (mut empty, mut told) = (0, 0);
            for _ in 0..100 {
                let mut searches: [SurfaceSearch; WIDTH] =
                    from_fn(|_| random.search(45.0, plane, &bounds));
                for search in &mut searches {
                    search.span = HeightSpan::ALL;
                    search.reach.layers = SteeringLayers::ALL;
                }
                let near = may_find(&index, &searches);
                for (i, search) in searches.iter().enumerate() {
                    let is_empty = found(&index, search).is_empty();
                    let is_told = near >> i & 1 == 0;
                    assert!(is_empty || !is_told, "{plane:?} {search:?}");
                    empty += u32::from(is_empty);
                    told += u32::from(is_told);
                }
            }
            assert!(empty > 30, "{plane:?} {bounds:?}: {told} of {empty}");
            all_told += told;
        }
        // Of those next to the seam of a world it is not known, nor of most in a dense one.
        assert!(all_told > 800, "{all_told}");
    }

    #[test]
    fn nothing_is_told_of_agents_that_are_not_valid() {
        let (_, bounds, index) = worlds().swap_remove(0);
        let mut random = Random(1);
        for awkward in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut searches: [SurfaceSearch; WIDTH] =
                from_fn(|_| random.search(30.0, Xy, &bounds));
            searches[0].position.x = awkward;
            searches[1].velocity.y = awkward;
            searches[1].reach.look_ahead = 1.0;
            searches[2].reach.around = awkward;
            searches[2].reach.clearance = awkward;
            assert_eq!(may_find(&index, &searches) & 0b111, 0b111, "{awkward}");
        }
    }
}
