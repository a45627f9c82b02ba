//! The permitted velocity: the best compromise (least squares) between the requested one and the
//! soft limits, among the velocities that satisfy the hard limits.

use bevy::prelude::*;

use crate::{
    agent::{HalfSpace, LimitRow},
    simd::{Arithmetic, One, Vector, dot, each, length, select, split, truncate},
    space::{SteeringPlane, vector},
};

/// This fraction of the maximum speed counts as zero.
const TOLERANCE: f32 = 1e-5;

/// Two limits are parallel if the sine of the angle between their normals is less than this.
const PARALLEL: f32 = 1e-4;

/// The requested velocity of an agent and its abilities in a tick, or of several in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<L: Arithmetic = One> {
    pub velocity: Vector<L>,
    pub requested: Vector<L>,
    pub max_speed: L::F,
    /// The maximum change of velocity, in units a second.
    pub reach: L::F,
}

/// The velocity that minimises `|x − requested|²` plus the weighted squares of violated soft
/// limits, satisfies the hard limits, and is within reach. If not all hard limits can be satisfied
/// they become the heaviest soft ones.
///
/// `permitted` is the velocity that [soft limits permit](softly_permitted).
pub(crate) fn permitted_velocity(
    plane: SteeringPlane,
    motion: &Motion,
    permitted: Vec3,
    hard: &[HalfSpace],
    soft: &[LimitRow<One>],
) -> Vec3 {
    if hard.iter().all(|limit| limit.slack(permitted) >= -motion.tolerance(One)) {
        return permitted;
    }
    let all = Flat::of(plane);
    let found = all.best(motion, hard, soft).or_else(|| {
        let weight = 10.0 * (1.0 + soft.iter().map(|limit| limit.2).sum::<f32>());
        let heavy = |one: &HalfSpace| HalfSpace { weight, ..*one }.row();
        let limits: Vec<_> = hard.iter().map(heavy).chain(soft.iter().copied()).collect();
        all.minimum(motion, &limits)
    });
    motion.within_reach(One, found.map_or(motion.velocity, |found| found.to_array())).into()
}

/// [`permitted_velocity`] without hard limits, for soft ones in the agent's plane.
#[inline(always)]
pub(crate) fn softly_permitted<L: Arithmetic>(
    l: L,
    motion: &Motion<L>,
    limits: &[LimitRow<L>],
) -> Vector<L> {
    let balls = [([l.splat(0.0); 3], motion.max_speed), (motion.velocity, motion.reach)];
    let Motion { velocity: start, requested, .. } = *motion;
    let problem = Problem { start, requested, limits, balls, tolerance: motion.tolerance(l) };
    let (found, is_found) = minimum(l, &problem);
    motion.within_reach(l, select(l, is_found, found, motion.velocity))
}

impl<L: Arithmetic> Motion<L> {
    #[inline(always)]
    fn tolerance(&self, l: L) -> L::F {
        l.mul(l.splat(TOLERANCE), self.max_speed)
    }

    /// Removes rounding errors, towards the present velocity.
    #[inline(always)]
    fn within_reach(&self, l: L, found: Vector<L>) -> Vector<L> {
        let change = truncate(l, each!(d => l.sub(found[d], self.velocity[d])), self.reach);
        truncate(l, each!(d => l.add(self.velocity[d], change[d])), self.max_speed)
    }
}

/// A flat subspace: all velocities with the same components along some axes.
#[derive(Clone, Copy)]
struct Flat {
    axes: [Vec3; 3],
    count: usize,
    /// The velocity closest to zero.
    base: Vec3,
}

impl Flat {
    fn of(plane: SteeringPlane) -> Self {
        let count = usize::from(plane.is_planar());
        Self { axes: [plane.normal(), Vec3::ZERO, Vec3::ZERO], count, base: Vec3::ZERO }
    }

    /// The projection of a vector into the subspace.
    fn free(&self, vector: Vec3) -> Vec3 {
        let axes = self.axes[..self.count].iter();
        axes.fold(vector, |rest, &axis| vector::perpendicular(rest, axis))
    }

    /// The edge of a half-space in it, if there is one.
    fn edge(&self, limit: &HalfSpace) -> Option<Self> {
        let (axis, length) = vector::split(self.free(limit.normal));
        if length < PARALLEL || self.count == 3 {
            return None;
        }
        let mut edge = *self;
        edge.axes[self.count] = axis;
        edge.count += 1;
        edge.base += axis * ((limit.bound - limit.normal.dot(self.base)) / length);
        Some(edge)
    }

    /// The best velocity that keeps the hard limits, if there is one.
    ///
    /// Incrementally, after Seidel (1991), "Small-dimensional linear programming and convex hulls
    /// made easy": where the best so far violates a half-space, the new best is on its edge.
    fn best(&self, motion: &Motion, hard: &[HalfSpace], soft: &[LimitRow<One>]) -> Option<Vec3> {
        let tolerance = motion.tolerance(One);
        let mut best = self.minimum(motion, soft)?;
        for (i, limit) in hard.iter().enumerate() {
            if limit.slack(best) < -tolerance {
                best = self.edge(limit)?.best(motion, &hard[..i], soft)?;
            }
        }
        Some(best)
    }

    /// The best velocity in it without hard limits, if one is within reach.
    fn minimum(&self, motion: &Motion, soft: &[LimitRow<One>]) -> Option<Vec3> {
        let velocity = Vec3::from(motion.velocity);
        let tolerance = motion.tolerance(One);
        let balls = [(Vec3::ZERO, motion.max_speed), (velocity, motion.reach)];
        let [first, second] = balls.map(|ball| self.cut(ball, tolerance));
        let balls = [first?, second?];
        if self.count == 3 {
            return Some(self.base);
        }
        let cut = |&(normal, bound, weight): &LimitRow<One>| {
            let normal = Vec3::from(normal);
            (self.free(normal).to_array(), bound - normal.dot(self.base), weight)
        };
        let limits: Vec<LimitRow<One>> = soft.iter().map(cut).collect();
        // Start close to the last permitted velocity.
        let start = self.free(velocity).to_array();
        let requested = self.free(motion.requested.into()).to_array();
        let problem = Problem { start, requested, limits: &limits, balls, tolerance };
        let (found, is_found) = minimum(One, &problem);
        is_found.then(|| self.base + Vec3::from(found))
    }

    /// The intersection with a ball, relative to the base of the subspace, if there is one.
    fn cut(&self, (center, radius): (Vec3, f32), tolerance: f32) -> Option<Ball<One>> {
        let free = self.free(center);
        let off = (center - free - self.base).length();
        let squared = (radius - off) * (radius + off);
        (off <= radius + tolerance).then(|| (free.to_array(), squared.max(0.0).sqrt()))
    }
}

/// A centre and a radius.
type Ball<L> = (Vector<L>, <L as Arithmetic>::F);

/// A requested velocity, soft limits (their normals, bounds and weights) and the balls that the
/// velocity must be in (their centres and radii).
struct Problem<'a, L: Arithmetic> {
    /// The start of the iteration.
    start: Vector<L>,
    requested: Vector<L>,
    limits: &'a [LimitRow<L>],
    balls: [Ball<L>; 2],
    tolerance: L::F,
}

/// The gradient of a sum of squares, halved, and the curvature: `xx, yy, zz, xy, xz, yz`.
#[derive(Clone, Copy)]
struct Slope<L: Arithmetic> {
    gradient: Vector<L>,
    curvature: [L::F; 6],
}

impl<L: Arithmetic> Problem<'_, L> {
    /// The gradient and curvature of `|x − requested|² + Σ weight · max(0, bound − normal · x)²`.
    #[inline(always)]
    fn slope(&self, l: L, x: Vector<L>) -> Slope<L> {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let mut slope = Slope {
            gradient: each!(d => l.sub(x[d], self.requested[d])),
            curvature: [one, one, one, zero, zero, zero],
        };
        for &(normal, bound, weight) in self.limits {
            let missing = l.sub(bound, dot(l, normal, x));
            slope.add(l, normal, missing, weight, zero);
        }
        slope
    }

    /// The same with the balls as limits of this weight; the violation of a ball is the distance
    /// outside of it.
    #[inline(always)]
    fn with_balls(&self, l: L, mut slope: Slope<L>, x: Vector<L>, weight: L::F) -> Slope<L> {
        for (center, radius) in self.balls {
            let (out, distance) = split(l, each!(d => l.sub(x[d], center[d])));
            let inward = each!(d => l.neg(out[d]));
            let missing = l.sub(distance, radius);
            // The surface of a ball is curved: tangentially the curvature grows with the violation.
            let bend = l.div(l.mul(weight, missing), distance);
            slope.add(l, inward, missing, weight, bend);
        }
        slope
    }
}

impl<L: Arithmetic> Slope<L> {
    /// This one where `m`, else the other one.
    #[inline(always)]
    fn or(self, l: L, m: L::M, mut other: Self) -> Self {
        other.gradient = select(l, m, self.gradient, other.gradient);
        for (own, other) in self.curvature.into_iter().zip(&mut other.curvature) {
            *other = l.select(m, own, *other);
        }
        other
    }

    #[inline(always)]
    fn add(&mut self, l: L, normal: Vector<L>, missing: L::F, weight: L::F, bend: L::F) {
        let is_missing = l.lt(l.splat(0.0), missing);
        let pull = l.mask(is_missing, l.mul(weight, missing));
        self.gradient = each!(d => l.sub(self.gradient[d], l.mul(normal[d], pull)));
        let (bend, along) = (l.mask(is_missing, bend), l.mask(is_missing, l.sub(weight, bend)));
        let weighted = each!(d => l.mul(normal[d], along));
        let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        for (sum, (i, j)) in self.curvature.iter_mut().zip(pairs) {
            *sum = l.add(*sum, l.mul(weighted[i], normal[j]));
            if i == j {
                *sum = l.add(*sum, bend);
            }
        }
    }

    /// Newton's step to the minimum, by the inverse of the symmetric matrix.
    #[inline(always)]
    fn step(&self, l: L) -> Vector<L> {
        let [xx, yy, zz, xy, xz, yz] = self.curvature;
        let minor = |a, b, c, d| l.sub(l.mul(a, b), l.mul(c, d));
        let (a, b, c) = (minor(yy, zz, yz, yz), minor(xz, yz, xy, zz), minor(xy, yz, xz, yy));
        let (d, e, f) = (minor(xx, zz, xz, xz), minor(xy, xz, xx, yz), minor(xx, yy, xy, xy));
        let determinant = dot(l, [xx, xy, xz], [a, b, c]);
        let rows = [[a, b, c], [b, d, e], [c, e, f]];
        let per = l.div(l.splat(-1.0), determinant);
        each!(i => l.mul(dot(l, rows[i], self.gradient), per))
    }
}

/// The maximum number of steps to the minimum; usually two or three are enough.
const STEPS: usize = 32;

/// During this many steps the weight of a ball is [`HEAVIER`] than the sum of the limits that are
/// violated at the start of the step; with a larger weight the steps along its surface would be
/// short. After them it is heavier than all limits, so that the iteration ends.
const EARLY: usize = 8;
const HEAVIER: f32 = 10.0;

/// The maximum number of times that a step is shortened.
const SHORTER: usize = 6;

/// The minimum of the sum of squares, by Newton's method. The gradient is linear while no limit
/// begins or ceases to be violated; a step across such an edge may be too long, and is shortened to
/// the minimum along it. As the minimum on the surface of a ball is slightly outside, the result is
/// the nearest point in both; and whether there is one.
#[inline(always)]
fn minimum<L: Arithmetic>(l: L, problem: &Problem<L>) -> (Vector<L>, L::M) {
    let zero = l.splat(0.0);
    // The minimum length of a step.
    let resolution = l.mul(l.splat(0.1), problem.tolerance);
    let least = l.mul(resolution, resolution);
    let mut x = problem.start;
    let mut slope = problem.slope(l, x);
    let mut all = l.splat(1.0);
    for limit in problem.limits {
        all = l.add(all, limit.2);
    }
    let mut goes_on = l.le(zero, zero);
    for round in 0..STEPS {
        let [xx, yy, zz, ..] = slope.curvature;
        let here = if round < EARLY { l.add(l.add(xx, yy), zz) } else { all };
        let weight = l.mul(here, l.splat(HEAVIER));
        let bounded = problem.with_balls(l, slope, x, weight);
        let step = bounded.step(l);
        goes_on = l.and(goes_on, l.lt(least, dot(l, step, step)));
        if !l.any(goes_on) {
            break;
        }
        let down = dot(l, bounded.gradient, step);
        let enough = l.mul(down, l.splat(-0.1));
        // Along the step the sum decreases at `low`, and increases at `high`.
        let (mut low, mut high) = ((zero, down), (l.splat(1.0), zero));
        let mut place = l.splat(1.0);
        let mut is_open = goes_on;
        let (mut next, mut there) = (x, slope);
        for _ in 0..=SHORTER {
            let other = each!(d => l.add(x[d], l.mul(step[d], place)));
            let other_slope = problem.slope(l, other);
            next = select(l, is_open, other, next);
            there = other_slope.or(l, is_open, there);
            let up = dot(l, problem.with_balls(l, there, next, weight).gradient, step);
            let is_up = l.lt(zero, up);
            high = (l.select(is_up, place, high.0), l.select(is_up, up, high.1));
            low = (l.select(is_up, low.0, place), l.select(is_up, low.1, up));
            // First the whole step: the sum may decrease until its end.
            is_open = l.and(is_open, l.lt(enough, l.abs(up)));
            is_open = l.and(is_open, l.lt(zero, high.1));
            if !l.any(is_open) {
                break;
            }
            // A secant step, but not too close to the ends.
            let share = l.div(low.1, l.sub(low.1, high.1));
            let share = l.max(l.splat(0.1), l.min(share, l.splat(0.9)));
            place = l.add(low.0, l.mul(l.sub(high.0, low.0), share));
        }
        (x, slope) = (next, there);
    }
    nearest_in_both(l, problem.balls, x, problem.tolerance)
}

/// The point in both balls that is closest to `x`, and whether they intersect.
#[inline(always)]
fn nearest_in_both<L: Arithmetic>(
    l: L,
    [first, second]: [Ball<L>; 2],
    x: Vector<L>,
    tolerance: L::F,
) -> (Vector<L>, L::M) {
    let (of_first, of_second) = (nearest(l, first, x), nearest(l, second, x));
    let in_second = is_in(l, second, of_first, tolerance);
    let in_first = is_in(l, first, of_second, tolerance);
    // On the intersection of both surfaces.
    let (axis, apart) = split(l, each!(d => l.sub(second.0[d], first.0[d])));
    let squares = l.mul(l.sub(first.1, second.1), l.add(first.1, second.1));
    let along = l.mul(l.splat(0.5), l.add(apart, l.div(squares, apart)));
    let squared = l.mul(l.sub(first.1, along), l.add(first.1, along));
    let way = each!(d => l.sub(x[d], first.0[d]));
    let part = dot(l, way, axis);
    let side = split(l, each!(d => l.sub(way[d], l.mul(axis[d], part)))).0;
    let across = l.sqrt(l.max(squared, l.splat(0.0)));
    let corner = each!(d => {
        l.add(l.add(first.0[d], l.mul(axis[d], along)), l.mul(side[d], across))
    });
    let in_both = l.and(is_in(l, first, corner, tolerance), is_in(l, second, corner, tolerance));
    let found = select(l, in_first, of_second, corner);
    (select(l, in_second, of_first, found), l.or(in_second, l.or(in_first, in_both)))
}

/// The point of a ball that is closest to `x`.
#[inline(always)]
fn nearest<L: Arithmetic>(l: L, (center, radius): Ball<L>, x: Vector<L>) -> Vector<L> {
    let way = truncate(l, each!(d => l.sub(x[d], center[d])), radius);
    each!(d => l.add(center[d], way[d]))
}

#[inline(always)]
fn is_in<L: Arithmetic>(l: L, (center, radius): Ball<L>, x: Vector<L>, tolerance: L::F) -> L::M {
    let distance = length(l, each!(d => l.sub(x[d], center[d])));
    l.le(distance, l.add(radius, tolerance))
}
