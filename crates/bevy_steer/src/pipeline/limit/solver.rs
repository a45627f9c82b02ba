//! The permitted velocity: the best compromise between the wished one and the soft limits, among
//! those that keep the hard limits.

use bevy::prelude::*;

use crate::{
    agent::velocity_limits::HalfSpace,
    pipeline::limit::minimum::{Problem, minimum},
    simd::one::One,
    space::{
        plane::SteeringPlane,
        vector::{perpendicular, split, truncate},
    },
};

/// Of the largest speed, this share is nothing.
const TOLERANCE: f32 = 1e-5;

/// Two limits are parallel if the sine of the angle between their normals is less than this.
const PARALLEL: f32 = 1e-4;

/// What an agent wishes and what it can do in a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub(crate) plane: SteeringPlane,
    pub(crate) velocity: Vec3,
    pub(crate) wished: Vec3,
    pub(crate) max_speed: f32,
    /// The largest change of velocity, in units a second.
    pub(crate) reach: f32,
}

/// The velocity that minimises `|x − wished|²` and the weighted squares of violated soft limits,
/// keeps the hard limits, and is within reach. Where not all hard limits can be kept they become
/// the heaviest soft ones.
pub(crate) fn permitted_velocity(motion: &Motion, hard: &[HalfSpace], soft: &[HalfSpace]) -> Vec3 {
    let Motion { plane, velocity, max_speed, reach, .. } = *motion;
    let all = Flat::of(plane);
    let found = all.best(motion, hard, soft).or_else(|| {
        let weight = 10.0 * (1.0 + soft.iter().map(|limit| limit.weight).sum::<f32>());
        let heavy = |one: &HalfSpace| HalfSpace { weight, ..*one };
        let limits: Vec<_> = hard.iter().map(heavy).chain(soft.iter().copied()).collect();
        all.minimum(motion, &limits)
    });
    // What is left of rounding: towards the present velocity.
    truncate(velocity + truncate(found.unwrap_or(velocity) - velocity, reach), max_speed)
}

/// A flat part of space: all velocities that have the same part along each of some axes.
#[derive(Clone, Copy)]
struct Flat {
    axes: [Vec3; 3],
    count: usize,
    /// The nearest to zero of them.
    base: Vec3,
}

impl Flat {
    fn of(plane: SteeringPlane) -> Self {
        let count = usize::from(plane.is_planar());
        Self { axes: [plane.normal(), Vec3::ZERO, Vec3::ZERO], count, base: Vec3::ZERO }
    }

    /// The part of a vector in which it can vary.
    fn free(&self, vector: Vec3) -> Vec3 {
        self.axes[..self.count].iter().fold(vector, |rest, &axis| perpendicular(rest, axis))
    }

    /// The edge of a half-space in it; `None` if the half-space has none.
    fn edge(&self, limit: &HalfSpace) -> Option<Self> {
        let (axis, length) = split(self.free(limit.normal));
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
    fn best(&self, motion: &Motion, hard: &[HalfSpace], soft: &[HalfSpace]) -> Option<Vec3> {
        let tolerance = TOLERANCE * motion.max_speed;
        let mut best = self.minimum(motion, soft)?;
        for (i, limit) in hard.iter().enumerate() {
            if limit.slack(best) < -tolerance {
                best = self.edge(limit)?.best(motion, &hard[..i], soft)?;
            }
        }
        Some(best)
    }

    /// The best velocity in it without hard limits, if one is within reach.
    fn minimum(&self, motion: &Motion, soft: &[HalfSpace]) -> Option<Vec3> {
        let Motion { max_speed, .. } = *motion;
        let balls = [(Vec3::ZERO, max_speed), (motion.velocity, motion.reach)];
        let [first, second] = balls.map(|(center, radius)| self.cut(center, radius, max_speed));
        let balls = [first?, second?];
        if self.count == 3 {
            return Some(self.base);
        }
        let cut = |one: &HalfSpace| {
            let bound = one.bound - one.normal.dot(self.base);
            (self.free(one.normal).to_array(), bound, one.weight)
        };
        let mut limits = [([0.0; 3], 0.0, 0.0); 24];
        let count = soft.len().min(limits.len());
        limits.iter_mut().zip(soft).for_each(|(limit, one)| *limit = cut(one));
        let problem = Problem {
            // Near the last permitted velocity.
            start: self.free(motion.velocity).to_array(),
            wished: self.free(motion.wished).to_array(),
            limits: &limits[..count],
            balls: balls.map(|(center, radius)| (center.to_array(), radius)),
            resolution: 0.1 * TOLERANCE * max_speed,
        };
        let found = Vec3::from(minimum(One, &problem));
        Some(self.base + nearest_in_both(balls, found, TOLERANCE * max_speed)?)
    }

    /// The part of a ball that is in it, seen from its base: centre and radius; `None` if there is
    /// none.
    fn cut(&self, center: Vec3, radius: f32, max_speed: f32) -> Option<(Vec3, f32)> {
        let free = self.free(center);
        let off = (center - free - self.base).length();
        let squared = (radius - off) * (radius + off);
        (off <= radius + TOLERANCE * max_speed).then(|| (free, squared.max(0.0).sqrt()))
    }
}

/// The point of both balls that is nearest to `x`, if they meet.
fn nearest_in_both(balls: [(Vec3, f32); 2], x: Vec3, tolerance: f32) -> Option<Vec3> {
    let nearest = |(center, radius): (Vec3, f32), x: Vec3| center + truncate(x - center, radius);
    let is_in = |(center, radius): (Vec3, f32), x: Vec3| x.distance(center) <= radius + tolerance;
    let [first, second] = balls;
    for (one, other) in [(first, second), (second, first)] {
        let inside = nearest(one, x);
        if is_in(other, inside) {
            return Some(inside);
        }
    }
    // Where both surfaces meet.
    let (axis, apart) = split(second.0 - first.0);
    let along = 0.5 * (apart + (first.1 - second.1) * (first.1 + second.1) / apart);
    let squared = (first.1 - along) * (first.1 + along);
    let side = perpendicular(x - first.0, axis).normalize_or_zero();
    let corner = first.0 + axis * along + side * squared.max(0.0).sqrt();
    (is_in(first, corner) && is_in(second, corner)).then_some(corner)
}
