//! Braking in time: what behaviours that must stop short of something compute with.

use bevy::prelude::*;

use crate::{
    agent::half_spaces::HalfSpace,
    behavior::agent::Agent,
    simd::{lanes::Arithmetic, one::One},
    space::vector::truncate,
};

/// The highest speed from which an agent can still stop within `distance` if it goes on as it is
/// for `delay` seconds and then brakes with `max_acceleration`: the positive `v` of `v · delay + v²
/// / (2 · max_acceleration) = distance`.
///
/// Zero where there is no distance left or no acceleration.
pub fn stoppable_speed(distance: f32, max_acceleration: f32, delay: f32) -> f32 {
    stoppable(One, distance, max_acceleration, delay)
}

/// [`stoppable_speed`] as a kernel.
#[inline(always)]
pub(crate) fn stoppable<L: Arithmetic>(
    l: L,
    distance: L::F,
    max_acceleration: f32,
    delay: f32,
) -> L::F {
    if max_acceleration.is_nan() || max_acceleration <= 0.0 {
        return l.splat(0.0);
    }
    // The time that the distance takes at that speed. Holds for any acceleration: its square is not
    // needed.
    let braking = l.mul(l.splat(2.0), l.div(distance, l.splat(max_acceleration)));
    let root = l.sqrt(l.add(l.splat(delay * delay), braking));
    let time = l.mul(l.splat(0.5), l.add(l.splat(delay), root));
    l.mask(l.lt(l.splat(0.0), distance), l.div(distance, time))
}

/// A body keeps this many radii away from what it must not touch.
const BODY: f32 = 1.05;

/// It brakes with this share of its acceleration before what it must not touch: other agents may
/// push it.
const BRAKING: f32 = 0.4;

/// It leaves what it touches at no more than this share of its top speed.
const LEAVING: f32 = 0.2;

/// An urgent change is made in this share of the response time.
const URGENT_SHARE: f32 = 1.0 / 3.0;

/// An urgent change takes more than a tick: what several agents do at once would otherwise be too
/// much, and they would tremble.
const URGENT_TICKS: f32 = 1.5;

impl Agent<'_> {
    /// A change of velocity after which something that moves at `velocity` can still stop within
    /// `distance` (units), braking with `acceleration`: `change`, or more braking where that would
    /// be too fast.
    ///
    /// Of a change only the share `dt / response` is made in a tick. Asking for a speed to stop
    /// from would not be enough, so this asks for as much more as makes the next speed right.
    pub fn stop_in_time(
        &self,
        change: Vec3,
        velocity: Vec3,
        distance: f32,
        acceleration: f32,
    ) -> Vec3 {
        let share = self.dt / self.response();
        let next = velocity + change * share;
        let slowed = truncate(next, stoppable_speed(distance, acceleration, self.dt));
        if slowed == next { change } else { (slowed - velocity) / share }
    }

    /// How fast it may approach a surface that is `gap` units from its centre, so that it can stop
    /// before its body touches, in units a second. Below zero where it touches already.
    pub fn approach_speed(&self, gap: f32) -> f32 {
        let room = gap - self.vehicle.radius * BODY;
        if room >= 0.0 {
            stoppable_speed(room, BRAKING * self.vehicle.max_acceleration(), self.dt)
        } else {
            (room / self.response()).max(-LEAVING * self.vehicle.max_speed)
        }
    }

    /// It can still stop before a surface that is `gap` units from its centre and moves at
    /// `velocity`.
    pub(crate) fn surface_limit(&self, normal: Vec3, gap: f32, velocity: Vec3) -> HalfSpace {
        let bound = self.plane.flatten(velocity).dot(normal) - self.approach_speed(gap);
        HalfSpace { normal, bound, ..default() }
    }

    /// How far away a surface begins to limit its speed, in units.
    pub fn approach_reach(&self) -> f32 {
        let speed = self.velocity.length();
        // It may be faster at the end of the tick.
        let speed = speed + self.vehicle.max_acceleration() * self.dt;
        let braking = 0.5 * speed * speed / (BRAKING * self.vehicle.max_acceleration());
        self.vehicle.radius * BODY + speed * self.dt + braking
    }

    /// The distance between two neighbouring positions where it is, in units: `f32` has seven
    /// digits.
    fn resolution(&self) -> f32 {
        let farthest = self.plane.flatten(self.position).abs().max_element();
        // The power of two below it.
        f32::from_bits(farthest.to_bits() & f32::INFINITY.to_bits()) * f32::EPSILON
    }

    /// The speed at which a tick surely moves it, in units a second: rounding swallows shorter
    /// steps. No more than top speed, and next to nothing near the origin.
    pub(crate) fn least_speed(&self) -> f32 {
        (self.resolution() / self.tick_dt).min(self.vehicle.max_speed)
    }

    /// A distance (units) within which something counts as reached, but no less than how exactly it
    /// can come to rest where it is: what it needs to stop from the least speed at which it moves.
    pub fn reachable(&self, distance: f32) -> f32 {
        let speed = self.least_speed();
        let braking = 0.5 * speed * speed / self.vehicle.max_acceleration().max(f32::MIN_POSITIVE);
        let least = speed * self.dt + if braking.is_finite() { braking } else { 0.0 };
        distance.max(least)
    }

    /// By how much to multiply a change of velocity so that it is made in this many seconds; by one
    /// for `None`, which is the vehicle's own [`response`](Self::response).
    pub fn haste(&self, time_to_target: Option<f32>) -> f32 {
        time_to_target.map_or(1.0, |time| self.response() / time.max(self.dt))
    }

    /// By how much to multiply an urgent change of velocity, so that it is made in a third of the
    /// response time. Without it the tiers below, which ask in every tick for what is being
    /// prevented, would win too often.
    pub fn urgency(&self) -> f32 {
        let response = self.response();
        response / (response * URGENT_SHARE).max(self.dt * URGENT_TICKS).min(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stoppable_speed_stops_in_time() {
        // 2 s at 3 units/s, then 3² / (2·4.5) = 1 unit of braking.
        assert!((stoppable_speed(7.0, 4.5, 2.0) - 3.0).abs() < 1e-5);
        assert_eq!(stoppable_speed(8.0, 4.0, 0.0), 8.0);
        assert_eq!(stoppable_speed(8.0, 0.0, 0.1), 0.0);
        assert_eq!(stoppable_speed(8.0, f32::INFINITY, 0.5), 16.0);
        assert!((stoppable_speed(8.0, 1e30, 0.5) - 16.0).abs() < 1e-4);
        assert_eq!(stoppable_speed(8.0, f32::NAN, 0.5), 0.0);
    }

    #[test]
    fn there_is_no_stoppable_speed_without_distance_or_acceleration() {
        assert_eq!(stoppable_speed(0.0, 8.0, 0.0), 0.0);
        assert_eq!(stoppable_speed(-1.0, 8.0, 0.5), 0.0);
        assert_eq!(stoppable_speed(1.0, 0.0, 0.5), 0.0);
    }
}
