//! Obstacles in the way of an agent: the search of [`AvoidObstacles`](crate::AvoidObstacles).

use core::ops::Range;

use bevy::prelude::*;

use crate::{
    obstacles::{
        index::ObstacleIndex,
        placed::PlacedObstacle,
        size_class::{Found, SizeClass},
    },
    simd::{
        lanes::{Lanes, unset_lanes},
        vector::{Vector, at, each, unpacked},
    },
};

/// The straight path of an agent, with some room on all sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    pub(crate) from: Vec3,
    /// The vector from there to its end.
    pub(crate) to: Vec3,
    /// Obstacles this near matter, in units.
    pub(crate) reach: f32,
    /// And those that can come so near in this time, in seconds.
    pub(crate) look_ahead: f32,
}

/// Much more than the rounding of a distance, as a share of it: an obstacle on the edge counts as
/// near.
const SLACK: f32 = 1e-4;

impl Sweep {
    /// One over the square of its length; finite for a length of zero.
    fn per_square(self) -> f32 {
        1.0 / self.to.length_squared().max(f32::MIN_POSITIVE)
    }

    /// The same for what is at rest, so wide that the fastest of a class do not matter more.
    #[inline(always)]
    fn among(self, class: &SizeClass) -> Self {
        Self { reach: self.reach + class.fastest * self.look_ahead, ..self }
    }

    /// Whether a ball is near it; `offset` leads from its beginning to the ball's centre.
    #[inline(always)]
    fn meets(self, offset: Vec3, radius: f32, per_square: f32) -> bool {
        let along = (offset.dot(self.to) * per_square).clamp(0.0, 1.0);
        let limit = self.reach + radius;
        let aside = (offset - self.to * along).length_squared();
        aside <= limit * limit + SLACK * (limit * limit + offset.length_squared())
    }
}

/// Buckets of a grid: the first and the last on each axis.
type Buckets = [(u32, u32); 3];

impl SizeClass {
    /// Whether this holds for any row of these buckets, given as a range in the order of the grid.
    #[inline(always)]
    fn is_any(&self, [x, y, z]: Buckets, is_it: impl Fn(Range<usize>) -> bool) -> bool {
        let [columns, rows, _] = self.grid.axes.map(|axis| axis.buckets);
        let starts = &self.grid.starts;
        for layer in z.0..=z.1 {
            for row in y.0..=y.1 {
                let first = (layer * rows + row) * columns;
                let [from, to] = [first + x.0, first + x.1 + 1].map(|i| starts[i as usize]);
                if is_it(from as usize..to as usize) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a ball in these buckets is near a sweep.
    #[inline(always)]
    fn is_met(&self, buckets: Buckets, way: Sweep, offset: impl Fn(Vec3) -> Vec3) -> bool {
        let per_square = way.per_square();
        self.is_any(buckets, |range| {
            let mut balls = self.balls[range].iter();
            balls.any(|&(place, radius)| way.meets(offset(place), radius, per_square))
        })
    }
}

impl ObstacleIndex {
    /// Calls `f` once with every obstacle that has its ball, or that of a piece, near a sweep.
    /// `offset` gives the vector from its start to a position: in the plane of the agent, and the
    /// short way round.
    #[inline(always)]
    pub(crate) fn for_each_ahead(
        &self,
        way: Sweep,
        offset: impl Fn(Vec3) -> Vec3,
        mut f: impl FnMut(&PlacedObstacle, Vec3),
    ) {
        let per_square = way.per_square();
        let end = way.from + way.to;
        for class in &self.sizes {
            let way = way.among(class);
            let margin = Vec3::splat(way.reach + class.largest);
            let (min, max) = (way.from.min(end) - margin, way.from.max(end) + margin);
            let mut found = Found::new();
            class.grid.for_each_run(min, max, |run| {
                for (&(place, radius), &number) in
                    class.balls[run.clone()].iter().zip(&class.numbers[run])
                {
                    if way.meets(offset(place), radius, per_square) {
                        found.push(number);
                    }
                }
            });
            for i in class.once(found) {
                let obstacle = &self.placed[i as usize];
                f(obstacle, offset(obstacle.position));
            }
        }
    }

    /// Which of eight sweeps surely hit no ball. Of the others nothing is known.
    ///
    /// `offset` gives the vector from the start of a sweep to a position.
    #[inline(always)]
    pub(crate) fn clear_ways<L: Lanes>(
        &self,
        l: L,
        asked: u8,
        from: Vector<L>,
        to: Vector<L>,
        [reach, look_ahead]: [L::F; 2],
        offset: impl Fn(usize, Vec3) -> Vec3,
    ) -> u8 {
        let (origins, ends) = (unpacked(l, from), unpacked(l, to));
        self.clear(l, asked, [from, to], [reach, look_ahead], |class, buckets, i, reach| {
            let (from, to) = (at(&origins, i), at(&ends, i));
            let way = Sweep { from, to, reach, look_ahead: 0.0 };
            class.is_met(buckets, way, |place| offset(i, place))
        })
    }

    /// Which of eight balls are surely near nothing that [`around`](Self::around) finds. Of the
    /// others nothing is known.
    #[inline(always)]
    pub(crate) fn clear_balls<L: Lanes>(
        &self,
        l: L,
        asked: u8,
        center: Vector<L>,
        radius: L::F,
    ) -> u8 {
        let (zero, centers) = (l.splat(0.0), unpacked(l, center));
        self.clear(l, asked, [center, [zero; 3]], [radius, zero], |class, buckets, i, radius| {
            let radius = radius + class.rough;
            class.is_any(buckets, |hulls| class.is_any_near(hulls, at(&centers, i), radius))
        })
    }

    /// Of eight sweeps those for which nothing is met: this is asked of each class, the buckets
    /// that a sweep goes through, its lane and its reach. Not those of which nothing is known.
    #[inline(always)]
    fn clear<L: Lanes>(
        &self,
        l: L,
        asked: u8,
        [from, to]: [Vector<L>; 2],
        [reach, look_ahead]: [L::F; 2],
        meets: impl Fn(&SizeClass, Buckets, usize, f32) -> bool,
    ) -> u8 {
        let mut clear = asked;
        for class in &self.sizes {
            let reach = l.add(reach, l.mul(l.splat(class.fastest), look_ahead));
            let margin = l.add(reach, l.splat(class.largest + class.rough));
            let reaches = l.unpack(reach);
            let mut is_usual = l.bits_to_mask(u8::MAX);
            let spans = each!(d => {
                let axis = &class.grid.axes[d];
                let end = l.add(from[d], to[d]);
                let (low, high) = (l.sub(l.min(from[d], end), margin), l.add(l.max(from[d], end), margin));
                // As in `Axis::cells`.
                let slack = l.add(l.max(l.abs(low), l.abs(high)), l.splat(axis.origin.abs()));
                let slack = l.mul(slack, l.splat(4.0 * f32::EPSILON));
                let cell = |x: L::F| l.mul(l.sub(x, l.splat(axis.origin)), l.splat(axis.per_unit));
                let (low, high) = (cell(l.sub(low, slack)), cell(l.add(high, slack)));
                let zero = l.splat(0.0);
                // Otherwise there may be something beyond the end of the table or the seam of a
                // world.
                let is_in = l.and(l.le(zero, low), l.lt(high, l.splat(axis.buckets as f32)));
                let is_known = l.or(l.bits_to_mask(class.is_in_table[d]), is_in);
                let width = l.sub(high, low);
                let is_some = l.and(l.le(zero, width), l.le(width, l.splat(f32::MAX)));
                is_usual = l.and(is_usual, l.and(is_known, is_some));
                let last = l.splat((axis.buckets - 1) as f32);
                let low = l.min(l.max(low, zero), last);
                let high = l.min(l.max(high, low), last);
                (l.whole(low), l.whole(high))
            });
            clear &= l.bits(is_usual);
            for i in unset_lanes(!clear) {
                let buckets = each!(d => (spans[d].0[i], spans[d].1[i]));
                if meets(class, buckets, i, reaches[i]) {
                    clear &= !(1 << i);
                }
            }
        }
        clear
    }
}

#[cfg(test)]
mod tests {
    use core::array::from_fn;

    use super::{
        super::index::tests::{index_of, segment},
        *,
    };
    use crate::{
        simd::{
            lanes::{Arithmetic, WIDTH, pack},
            portable::Portable,
            vector::vector,
        },
        space::{
            bounds::{Bounds, BoundsEdge},
            plane::SteeringPlane::{Free, Xy, Xz},
        },
    };

    /// Pseudo-random numbers from −`half` to `half`.
    fn scattered(half: f32) -> impl FnMut() -> f32 {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as f32 / (1 << 23) as f32 - 1.0) * half
        }
    }

    #[test]
    fn clear_sweeps_hit_nothing() {
        let (mut place, mut size, mut step) = (scattered(50.0), scattered(2.0), scattered(12.0));
        let wraps = Bounds::rect(Vec2::splat(-50.0), Vec2::splat(50.0), BoundsEdge::Wrap);
        let balls = [(Xy, 120), (Xz, 120), (Free, 1500)].map(|(plane, count)| {
            let ball = |_| (plane.flatten(Vec3::new(place(), place(), place())), 2.2 + size());
            (plane, (0..count).map(ball).collect::<Vec<_>>())
        });
        let worlds = balls.iter().map(|(plane, balls)| (*plane, balls, Bounds::UNBOUNDED));
        for (plane, balls, bounds) in worlds.chain([(Xy, &balls[0].1, wraps)]) {
            let index = index_of(balls, plane, &bounds);
            // From far outside of the table too, where the world goes on.
            let far = if bounds == Bounds::UNBOUNDED { 1.5 } else { 1.0 };
            let (mut clear, mut told_clear) = (0, 0);
            for _ in 0..200 {
                let ways: [Sweep; WIDTH] = from_fn(|_| Sweep {
                    from: plane.flatten(Vec3::new(place(), place(), place()) * far),
                    to: plane.flatten(Vec3::new(step(), step(), step())),
                    reach: 2.0 + 0.5 * size(),
                    look_ahead: 1.0,
                });
                let offset = |i: usize, place: Vec3| bounds.shortest(place - ways[i].from);
                let l = Portable;
                let (from, to) = (vector!(l, i => ways[i].from), vector!(l, i => ways[i].to));
                let reach = pack!(l, i => ways[i].reach);
                let told = index.clear_ways(l, u8::MAX, from, to, [reach, l.splat(1.0)], offset);
                for (i, way) in ways.into_iter().enumerate() {
                    let met = |&&(center, radius): &&(Vec3, f32)| {
                        way.meets(offset(i, center), radius, way.per_square())
                    };
                    let meets = balls.iter().filter(met).count();
                    let mut found = 0;
                    index.for_each_ahead(way, |place| offset(i, place), |_, _| found += 1);
                    assert_eq!(found, meets, "{way:?}");
                    let is_told_clear = told >> i & 1 == 1;
                    assert!(meets == 0 || !is_told_clear, "{way:?}");
                    clear += u32::from(meets == 0);
                    told_clear += u32::from(is_told_clear);
                }
            }
            // Only of those that cross the seam of a world it is not known.
            let all = if bounds == Bounds::UNBOUNDED { clear } else { clear * 4 / 10 };
            assert!(clear > 300 && told_clear >= all, "{plane:?}: {told_clear} of {clear}");
        }
    }

    #[test]
    fn balls_are_clear_only_where_nothing_is_around() {
        let side = Vec3::splat(30.0);
        let wraps = Bounds::cuboid(-side, side, BoundsEdge::Wrap);
        for plane in [Free, Xy, Xz] {
            for bounds in [Bounds::UNBOUNDED, wraps] {
                let mut place = scattered(30.0);
                let balls: Vec<_> = (0..25)
                    .map(|i| (plane.flatten(from_fn(|_| place()).into()), 0.1 + 0.1 * i as f32))
                    .collect();
                let mut index = index_of(&balls, plane, &bounds);
                index.placed.extend((0..16).map(|i| {
                    let [from, to] = [0, 1].map(|_| Vec3::from(from_fn(|_| place())));
                    segment(from, from.lerp(to, 0.3), 100 + i)
                }));
                index.build(plane, &bounds);
                let (mut empty, mut told_clear, mut told_near) = (0, 0, 0);
                for round in 0..200 {
                    let centers: [Vec3; WIDTH] =
                        from_fn(|_| plane.flatten(from_fn(|_| place()).into()));
                    let (l, radius) = (Portable, 0.05 * round as f32);
                    let center = vector!(l, i => centers[i]);
                    let told = index.clear_balls(l, u8::MAX, center, l.splat(radius));
                    for (i, center) in centers.into_iter().enumerate() {
                        let is_empty = index.around(center, radius).next().is_none();
                        let is_clear = told >> i & 1 == 1;
                        assert!(is_empty || !is_clear, "{plane:?} {center} {radius}");
                        empty += u32::from(is_empty);
                        told_clear += u32::from(is_clear);
                        told_near += u32::from(!is_empty);
                    }
                }
                assert!(empty > 100 && told_near > 100, "{plane:?}: {empty} {told_near}");
                // Of those beyond the table, or at the seam of a world, it is not known.
                assert!(told_clear >= empty / 8, "{plane:?}: {told_clear} of {empty}");
            }
        }
    }

    #[test]
    fn long_walls_are_met_once_wherever_they_are_met() {
        let (mut place, mut step) = (scattered(50.0), scattered(12.0));
        let mut point = || Vec3::new(place(), place(), 0.0);
        let walls: Vec<_> = (0..40).map(|i| segment(point(), point(), i)).collect();
        let mut index = ObstacleIndex { placed: walls.clone(), ..default() };
        index.build(Xy, &Bounds::UNBOUNDED);
        let mut met = 0;
        for _ in 0..500 {
            let (from, to) = (point(), Vec3::new(step(), step(), 0.0));
            let way = Sweep { from, to, reach: 1.0, look_ahead: 1.0 };
            let mut found = Vec::new();
            index.for_each_ahead(way, |place| place - from, |one, _| found.push(one.entity));
            for wall in &walls {
                let times = found.iter().filter(|&&one| one == wall.entity).count();
                let gap = |i: u8| {
                    let here = from + to * (f32::from(i) / 20.0);
                    wall.shape.distance(here, &wall.axes, Xy).0
                };
                let is_near = (0..=20).any(|i| gap(i) < way.reach);
                assert!(times == 1 || times == 0 && !is_near, "{times} {way:?} {:?}", wall.shape);
                met += usize::from(is_near);
            }
            assert!(found.len() < 20, "{way:?}: {}", found.len());
        }
        assert!(met > 500, "{met}");
    }

    #[test]
    fn far_obstacle_is_hit() {
        let mut place = scattered(50.0);
        let mut balls: Vec<_> = (0..100).map(|_| (Vec3::new(place(), place(), 0.0), 1.0)).collect();
        let far = Vec3::new(2000.0, 30.0, 0.0);
        balls.push((far, 1.0));
        let index = index_of(&balls, Xy, &Bounds::UNBOUNDED);
        let l = Portable;
        let from = far - Vec3::X * 5.0;
        let (start, way) = (vector!(l, _i => from), vector!(l, _i => Vec3::X * 10.0));
        let offset = |_, place: Vec3| place - from;
        assert_eq!(index.clear_ways(l, u8::MAX, start, way, [l.splat(1.0); 2], offset), 0);
    }

    #[test]
    fn invalid_sweeps_are_not_clear() {
        let index = index_of(&[(Vec3::ZERO, 1.0), (Vec3::X, 1.0)], Xy, &Bounds::UNBOUNDED);
        let l = Portable;
        let told = |from: f32, to: f32, reach: f32| {
            let vector = |x: f32| [l.splat(x), l.splat(0.0), l.splat(0.0)];
            let offset = |_, place: Vec3| place - Vec3::X * from;
            index.clear_ways(
                l,
                0b11,
                vector(from),
                vector(to),
                [l.splat(reach), l.splat(1.0)],
                offset,
            )
        };
        assert_eq!(told(50.0, 1.0, 2.0), 0b11);
        for awkward in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let told = [told(awkward, 1.0, 2.0), told(50.0, awkward, 2.0), told(50.0, 1.0, -9.0)];
            assert_eq!(told, [0, 0, 0], "{awkward}");
        }
        assert_eq!(told(50.0, 1.0, f32::NAN), 0);
    }

    #[test]
    fn ball_is_hit_within_reach_only() {
        let way = Sweep { from: Vec3::ZERO, to: Vec3::X * 10.0, reach: 1.0, look_ahead: 0.0 };
        let meets = |x: f32, y: f32| way.meets(Vec3::new(x, y, 0.0), 2.0, way.per_square());
        assert!(meets(5.0, 2.99) && !meets(5.0, 3.01));
        assert!(meets(12.9, 0.0) && !meets(13.1, 0.0) && meets(-2.9, 0.0) && !meets(-3.1, 0.0));
        let still = Sweep { to: Vec3::ZERO, ..way };
        assert!(still.meets(Vec3::Y * 2.9, 2.0, still.per_square()));
        assert!(!still.meets(Vec3::Y * 3.1, 2.0, still.per_square()));
    }
}
