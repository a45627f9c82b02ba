//! The velocity that minimises the violations of soft limits and the deviation from the request:
//! least squares.

use crate::{
    agent::half_spaces::LimitRow,
    simd::{
        lanes::Arithmetic,
        vector::{Vector, dot, each, select, split},
    },
};

/// A requested velocity, soft limits (their normals, bounds and weights) and the balls that the
/// velocity must be in (their centres and radii).
pub(crate) struct Problem<'a, L: Arithmetic> {
    /// The start of the iteration.
    pub start: Vector<L>,
    pub requested: Vector<L>,
    pub limits: &'a [LimitRow<L>],
    pub balls: [(Vector<L>, L::F); 2],
    /// The minimum length of a step.
    pub resolution: L::F,
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
/// the minimum along it. If the minimum is on the surface of a ball the result is slightly outside.
#[inline(always)]
pub(crate) fn minimum<L: Arithmetic>(l: L, problem: &Problem<L>) -> Vector<L> {
    let zero = l.splat(0.0);
    let least = l.mul(problem.resolution, problem.resolution);
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
    x
}
