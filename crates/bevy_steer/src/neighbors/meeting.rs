//! [`Approach`]: what an agent may meet.

use bevy::prelude::*;

use crate::simd::{lanes::Arithmetic, one::One};

/// What an agent may meet: what comes as near as `room` and its own radius within `horizon`
/// seconds, if both go on as they do or the one comes to close in, or to turn towards it, faster by
/// `spare`. But for what is beyond [its way](Self::way).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach<L: Arithmetic = One> {
    pub(crate) room: L::F,
    /// The radius of what has none of its own.
    pub(crate) body: L::F,
    pub(crate) spare: L::F,
    pub(crate) horizon: L::F,
    /// How far it may go within the horizon, in units.
    pub(crate) way: L::F,
}

/// An agent that may meet others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    pub(crate) velocity: Vec3,
    pub(crate) approach: Approach,
}

/// For rounding.
const SLACK: f32 = 1.000_01;

/// On which side two pass is open if the one moves across the way to the other at less than this
/// share of the speed: the square of that.
const UNDECIDED: f32 = 0.01;

/// Two that pass each other; several in lanes.
#[derive(Clone, Copy)]
pub(super) struct Passing<L: Arithmetic> {
    /// The square of their distance.
    pub(super) squared: L::F,
    /// The speed with which they come nearer to each other, times their distance.
    closing: L::F,
    /// The square of their relative speed.
    relative: L::F,
    /// The square of the speed of the other one.
    speed: L::F,
}

impl<L: Arithmetic> Passing<L> {
    /// At rest in the same place.
    #[inline(always)]
    pub(super) fn at_rest(l: L) -> Self {
        let zero = l.splat(0.0);
        Self { squared: zero, closing: zero, relative: zero, speed: zero }
    }

    /// Adds the part along one axis: the way to the other one, and the velocities of both.
    #[inline(always)]
    pub(super) fn add(&mut self, l: L, along: L::F, own: L::F, other: L::F) {
        let relative = l.sub(own, other);
        self.squared = l.add(self.squared, l.mul(along, along));
        self.closing = l.add(self.closing, l.mul(relative, along));
        self.relative = l.add(self.relative, l.mul(relative, relative));
        self.speed = l.add(self.speed, l.mul(other, other));
    }
}

impl Approach {
    /// `speed` is the agent's, and its top speed.
    pub(crate) fn new(
        room: f32,
        body: f32,
        spare: f32,
        horizon: f32,
        [speed, top_speed]: [f32; 2],
    ) -> Self {
        let soon = (speed + spare).min(top_speed).max(speed);
        // Zero, not a NaN, where it stands and looks ahead for ever.
        Self { room, body, spare, horizon, way: (soon * horizon).max(0.0) }
    }

    /// The distance that it wants to keep from what is no larger.
    pub(super) fn touch(&self, largest: f32) -> f32 {
        self.room + largest.max(self.body)
    }

    /// Everything that may be met is as near, if none is faster or larger.
    pub(super) fn reach(&self, fastest: f32, largest: f32) -> f32 {
        self.touch(largest) + (self.way + (fastest * self.horizon).max(0.0)) * SLACK
    }

    #[inline(always)]
    pub(super) fn splat<L: Arithmetic>(&self, l: L) -> Approach<L> {
        Approach {
            room: l.splat(self.room),
            body: l.splat(self.body),
            spare: l.splat(self.spare),
            horizon: l.splat(self.horizon),
            way: l.splat(self.way),
        }
    }
}

impl<L: Arithmetic> Approach<L> {
    /// The distance that it wants to keep from one of this radius.
    #[inline(always)]
    pub(super) fn room(&self, l: L, radius: L::F) -> L::F {
        l.add(self.room, l.select(l.lt(radius, l.splat(0.0)), self.body, radius))
    }

    /// Which of these it may meet, by the [`room`](Self::room) between them. Those that pass beside
    /// it are told by the cone of velocities that lead to a meeting, see
    /// [`velocity_obstacle`](crate::formulas::velocity_obstacle).
    #[inline(always)]
    pub(super) fn may_meet(&self, l: L, pass: Passing<L>, room: L::F) -> L::M {
        let Passing { squared, closing, relative, speed } = pass;
        let Self { spare, horizon, way, .. } = *self;
        let zero = l.splat(0.0);
        let distance = l.sqrt(squared);
        let gap = l.sub(distance, room);
        let spare = l.mul(spare, distance);
        let comes_near = l.le(l.mul(distance, gap), l.mul(l.add(closing, spare), horizon));
        let rest = l.sub(gap, way);
        let its_way = l.mul(speed, l.mul(horizon, horizon));
        let is_in_reach = l.or(l.le(rest, zero), l.le(l.mul(rest, rest), its_way));
        // All multiplied by the square of the distance.
        let turns = l.add(l.mul(closing, room), l.mul(spare, distance));
        let whole = l.mul(relative, squared);
        let ahead = l.mul(closing, closing);
        let beside = l.mul(l.sub(whole, ahead), l.sub(squared, l.mul(room, room)));
        let is_ahead = l.le(l.mul(whole, l.splat(1.0 - UNDECIDED)), ahead);
        let crosses = l.and(l.le(zero, turns), l.le(beside, l.mul(turns, turns)));
        let comes = l.and(l.and(comes_near, is_in_reach), l.or(is_ahead, crosses));
        l.or(comes, l.le(gap, zero))
    }
}
