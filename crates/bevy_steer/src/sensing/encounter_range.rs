//! [`EncounterRange`]: which others an agent may collide with.

use crate::{
    agent::{EncounterRequest, Vehicle},
    simd::{Arithmetic, One},
};

/// An agent may collide with whatever comes as near as `room` and its own radius within
/// `look_ahead` seconds, if both go on as they do or the one comes to close in, or to turn towards
/// it, faster by `spare`. But not with what is beyond the distance that both
/// [travel](Self::travel).
#[derive(Clone, Copy, Debug)]
pub(super) struct EncounterRange<L: Arithmetic = One> {
    pub room: L::F,
    /// The radius of what has none of its own.
    pub body: L::F,
    pub spare: L::F,
    pub look_ahead: L::F,
    /// How far the agent may go in that time, in units.
    pub travel: L::F,
}

/// Which side two agents pass on is open if the one moves sideways, as seen from the other, at less
/// than this share of the speed: the square of that.
const UNDECIDED: f32 = 0.01;
/// For rounding.
const SLACK: f32 = 1.000_01;

impl EncounterRange {
    pub(super) fn new(request: &EncounterRequest, vehicle: &Vehicle, speed: f32) -> Self {
        let EncounterRequest { room, look_ahead, spare, .. } = *request;
        let (room, look_ahead, spare) = (room.max(0.0), look_ahead.max(0.0), spare.max(0.0));
        let soon = (speed + spare).min(vehicle.max_speed).max(speed);
        // Zero, not a NaN, where it stands and looks ahead for ever.
        let travel = (soon * look_ahead).max(0.0);
        Self { room, body: vehicle.radius, spare, look_ahead, travel }
    }

    /// The distance that it wants to keep from what is not larger.
    pub(super) fn touch(&self, largest: f32) -> f32 {
        self.room + largest.max(self.body)
    }

    /// Everything that it may collide with is as near, if nothing is faster or larger.
    pub(super) fn reach(&self, fastest: f32, largest: f32) -> f32 {
        self.touch(largest) + (self.travel + (fastest * self.look_ahead).max(0.0)) * SLACK
    }
}

impl<L: Arithmetic> EncounterRange<L> {
    /// As numbers, and back.
    #[inline(always)]
    pub(super) fn to_array(self) -> [L::F; 5] {
        let Self { room, body, spare, look_ahead, travel } = self;
        [room, body, spare, look_ahead, travel]
    }

    #[inline(always)]
    pub(super) fn from_array([room, body, spare, look_ahead, travel]: [L::F; 5]) -> Self {
        Self { room, body, spare, look_ahead, travel }
    }

    /// Which of these it may collide with; `room` is the distance that it wants to keep from each.
    /// Those that pass beside it are told by the cone of velocities that lead to a collision, see
    /// [`velocity_obstacle`](crate::formulas::velocity_obstacle).
    #[inline(always)]
    pub(super) fn may_collide(&self, l: L, pass: Passing<L>, room: L::F) -> L::M {
        let Passing { squared, closing, relative, speed } = pass;
        let Self { spare, look_ahead, travel, .. } = *self;
        let zero = l.splat(0.0);
        let distance = l.sqrt(squared);
        let gap = l.sub(distance, room);
        let spare = l.mul(spare, distance);
        let comes_near = l.le(l.mul(distance, gap), l.mul(l.add(closing, spare), look_ahead));
        let rest = l.sub(gap, travel);
        let its_travel = l.mul(speed, l.mul(look_ahead, look_ahead));
        let is_in_reach = l.or(l.le(rest, zero), l.le(l.mul(rest, rest), its_travel));
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

/// The motion of two agents relative to each other; several in lanes.
#[derive(Clone, Copy)]
pub(super) struct Passing<L: Arithmetic> {
    /// The square of their distance.
    pub squared: L::F,
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

    /// Adds the part along one axis: the offset of the other one, and the velocities of both.
    #[inline(always)]
    pub(super) fn add(&mut self, l: L, along: L::F, own: L::F, other: L::F) {
        let relative = l.sub(own, other);
        self.squared = l.add(self.squared, l.mul(along, along));
        self.closing = l.add(self.closing, l.mul(relative, along));
        self.relative = l.add(self.relative, l.mul(relative, relative));
        self.speed = l.add(self.speed, l.mul(other, other));
    }
}
