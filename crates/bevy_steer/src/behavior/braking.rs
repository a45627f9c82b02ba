//! Speeds from which an agent can stop in time, and how one brakes that no behaviour moves.

use bevy::prelude::*;

use crate::{
    agent::{HalfSpace, VehicleBlock},
    behavior::{agent::Agent, near_surfaces::NearSurface},
    simd::{Arithmetic, NEGLIGIBLE, One, Vector, each, equal, select, split, truncate},
};

/// The maximum speed from which an agent can still stop within `distance` if it keeps its velocity
/// for `delay` seconds and then brakes with `max_acceleration`: the positive `v` of `v · delay + v²
/// / (2 · max_acceleration) = distance`.
///
/// Zero if the distance or the acceleration is not positive.
pub fn stoppable_speed(distance: f32, max_acceleration: f32, delay: f32) -> f32 {
    stoppable(One, distance, max_acceleration, delay)
}

/// [`stoppable_speed`] as a kernel.
#[inline(always)]
pub(crate) fn stoppable<L: Arithmetic>(
    l: L,
    distance: L::F,
    max_acceleration: L::F,
    delay: L::F,
) -> L::F {
    let zero = l.splat(0.0);
    // The solution by way of the time that the distance takes at that speed, which does not need
    // the square of the acceleration.
    let braking = l.mul(l.splat(2.0), l.div(distance, max_acceleration));
    let root = l.sqrt(l.add(l.mul(delay, delay), braking));
    let time = l.mul(l.splat(0.5), l.add(delay, root));
    let stops = l.and(l.lt(zero, distance), l.lt(zero, max_acceleration));
    l.mask(stops, l.div(distance, time))
}

/// The speed and braking ability of an agent, or of several in lanes.
#[derive(Clone, Copy)]
pub(crate) struct Agility<L: Arithmetic = One> {
    pub max_speed: L::F,
    pub max_acceleration: L::F,
    /// See [`Agent::response`].
    pub response: L::F,
    /// The time until the next decision.
    pub dt: L::F,
    /// The minimum speed at which a tick moves it: rounding swallows shorter steps. At most top
    /// speed, and close to zero near the origin.
    pub least_speed: L::F,
}

impl<L: Arithmetic> Agility<L> {
    /// `step` is the smallest step that rounding does not swallow.
    #[inline(always)]
    pub(crate) fn new(l: L, vehicle: VehicleBlock<L>, dt: L::F, step: L::F) -> Self {
        let VehicleBlock { mass, max_speed, max_force, response, .. } = vehicle;
        Self {
            max_speed,
            max_acceleration: l.div(max_force, mass),
            response: l.max(response, dt),
            dt,
            least_speed: l.min(step, max_speed),
        }
    }

    /// [`Agent::stop_in_time`] with this acceleration.
    #[inline(always)]
    pub(crate) fn stop_in_time(
        &self,
        l: L,
        change: Vector<L>,
        velocity: Vector<L>,
        distance: L::F,
        acceleration: L::F,
    ) -> Vector<L> {
        let share = l.div(self.dt, self.response);
        let next = each!(d => l.add(velocity[d], l.mul(change[d], share)));
        let slowed = truncate(l, next, stoppable(l, distance, acceleration, self.dt));
        let braking = each!(d => l.div(l.sub(slowed[d], velocity[d]), share));
        select(l, equal(l, slowed, next), change, braking)
    }

    /// [`Agent::reachable`].
    #[inline(always)]
    pub(crate) fn reachable(&self, l: L, distance: L::F) -> L::F {
        let (speed, half) = (self.least_speed, l.splat(0.5));
        let acceleration = l.max(self.max_acceleration, l.splat(f32::MIN_POSITIVE));
        let braking = l.div(l.mul(l.mul(half, speed), speed), acceleration);
        let braking = l.mask(l.lt(braking, l.splat(f32::INFINITY)), braking);
        l.max(distance, l.add(l.mul(speed, self.dt), braking))
    }
}

/// [`Agent::approach_reach`] as a kernel, from an agent's radius, speed, acceleration and `dt`.
#[inline(always)]
pub(crate) fn approach_reach<L: Arithmetic>(
    l: L,
    [radius, speed, acceleration, dt]: [L::F; 4],
) -> L::F {
    // It may have accelerated by the end of the tick.
    let speed = l.add(speed, l.mul(acceleration, dt));
    let squared = l.mul(l.mul(l.splat(0.5), speed), speed);
    let braking = l.div(squared, l.mul(l.splat(BRAKING), acceleration));
    l.add(l.add(l.mul(radius, l.splat(BODY)), l.mul(speed, dt)), braking)
}

/// The distance between two adjacent `f32` values at a position, in units.
#[inline(always)]
pub(crate) fn resolution(place: Vec3) -> f32 {
    let farthest = place.abs().max_element();
    // The power of two below it, times the distance between adjacent values at one.
    f32::from_bits(farthest.to_bits() & f32::INFINITY.to_bits()) * f32::EPSILON
}

/// The distance that a centre keeps from a surface, in radii.
pub(crate) const BODY: f32 = 1.05;

/// The fraction of its acceleration with which an agent brakes before a surface. The rest is a
/// reserve, as other agents may push it.
const BRAKING: f32 = 0.4;

/// The maximum speed at which an agent leaves a surface that it touches, as a fraction of top
/// speed.
const LEAVING: f32 = 0.2;

/// The time of an urgent change, as a fraction of the response time.
const URGENT_SHARE: f32 = 1.0 / 3.0;

/// The minimum time of an urgent change, in ticks. In a single tick agents that react to each other
/// would overshoot and tremble.
const URGENT_TICKS: f32 = 1.5;

impl Agent<'_> {
    /// A change of velocity after which a body that moves at `velocity` can still stop within
    /// `distance` (units), braking with `acceleration`: `change`, or more braking if that would be
    /// too fast.
    ///
    /// Only the fraction `dt / response` of a change is made in a tick. So this requests a larger
    /// change than to the speed from which the body can stop, so that the next speed is right.
    pub fn stop_in_time(
        &self,
        change: Vec3,
        velocity: Vec3,
        distance: f32,
        acceleration: f32,
    ) -> Vec3 {
        let [change, velocity] = [change.to_array(), velocity.to_array()];
        self.agility().stop_in_time(One, change, velocity, distance, acceleration).into()
    }

    /// The maximum speed towards a surface `gap` units from its centre from which it can stop
    /// before its body touches the surface, in units a second. Negative if it touches already.
    pub fn approach_speed(&self, gap: f32) -> f32 {
        let room = gap - self.vehicle.radius * BODY;
        if room >= 0.0 {
            stoppable_speed(room, BRAKING * self.vehicle.max_acceleration(), self.dt)
        } else {
            (room / self.response()).max(-LEAVING * self.vehicle.max_speed)
        }
    }

    /// The limit with which it can stop before a surface `gap` units from its centre that moves at
    /// `velocity`.
    pub(crate) fn surface_limit(&self, normal: Vec3, gap: f32, velocity: Vec3) -> HalfSpace {
        let bound = self.plane.flatten(velocity).dot(normal) - self.approach_speed(gap);
        HalfSpace { normal, bound, ..default() }
    }

    /// The same for a surface with a normal no farther than `reach` units.
    pub(crate) fn limit_before(&self, surface: &NearSurface, reach: f32) -> Option<HalfSpace> {
        let NearSurface { distance, normal, .. } = *surface;
        let matters = reach.is_finite() && distance <= reach && normal != Vec3::ZERO;
        matters.then(|| self.surface_limit(normal, distance, surface.velocity(self)))
    }

    /// How far away a surface begins to limit its speed, in units.
    pub fn approach_reach(&self) -> f32 {
        let (speed, acceleration) = (self.velocity.length(), self.vehicle.max_acceleration());
        approach_reach(One, [self.vehicle.radius, speed, acceleration, self.dt])
    }

    pub(crate) fn agility(&self) -> Agility {
        let resolution = resolution(self.plane.flatten(self.position));
        Agility::new(One, self.vehicle.into(), self.dt, resolution / self.tick_dt)
    }

    /// The distance (units) within which a goal counts as reached, at least the precision with
    /// which it can come to rest here: its stopping distance from the minimum speed at which it
    /// moves.
    pub fn reachable(&self, distance: f32) -> f32 {
        self.agility().reachable(One, distance)
    }

    /// The change of velocity that brings it to rest.
    pub fn brake(&self) -> Vec3 {
        let (velocity, at_once) = (self.velocity.to_array(), self.response() / self.dt);
        go_on(One, velocity, [0.0; 3], 0.0, self.vehicle.max_speed, at_once).into()
    }

    /// The factor on a change of velocity so that it takes this many seconds; one for `None`, the
    /// vehicle's own [`response`](Self::response).
    pub fn haste(&self, time_to_target: Option<f32>) -> f32 {
        time_to_target.map_or(1.0, |time| self.response() / time.max(self.dt))
    }

    /// The factor on an urgent change of velocity, so that it takes a third of the response time.
    /// Without it the tiers below, which request the opposite in every tick, would win too often.
    pub fn urgency(&self) -> f32 {
        let response = self.response();
        response / (response * URGENT_SHARE).max(self.dt * URGENT_TICKS).min(response)
    }
}

/// A braking agent slower than this fraction of its top speed stops immediately, because braking
/// alone would never quite stop it.
const ALMOST_STILL: f32 = 1e-3;

/// The change of velocity that makes an agent continue in its direction at `speed`, or stop if that
/// is zero. An agent at rest starts along its `heading`.
///
/// `at_once` is the factor on a change so that it is made in this tick: the response time divided
/// by the time step.
#[inline(always)]
pub(crate) fn go_on<L: Arithmetic>(
    l: L,
    velocity: Vector<L>,
    heading: Vector<L>,
    speed: L::F,
    max_speed: L::F,
    at_once: L::F,
) -> Vector<L> {
    let zero = l.splat(0.0);
    let (direction, now) = split(l, velocity);
    let along = select(l, l.lt(zero, now), direction, heading);
    let cruises = l.lt(zero, speed);
    let still = l.max(l.mul(max_speed, l.splat(ALMOST_STILL)), l.splat(NEGLIGIBLE));
    let slow = l.select(l.lt(now, still), at_once, l.splat(1.0));
    let factor = l.select(cruises, l.splat(1.0), slow);
    each!(d => {
        let requested = l.mask(cruises, l.mul(along[d], speed));
        l.mul(l.sub(requested, velocity[d]), factor)
    })
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

    fn change(velocity: Vec3, speed: f32) -> Vec3 {
        go_on(One, velocity.to_array(), Vec3::Y.to_array(), speed, 10.0, 6.0).into()
    }

    #[test]
    fn a_mover_goes_on_along_its_way() {
        assert_eq!(change(Vec3::X * 4.0, 6.0), Vec3::X * 2.0);
        assert_eq!(change(Vec3::X * 8.0, 6.0), Vec3::X * -2.0);
        assert_eq!(change(Vec3::ZERO, 6.0), Vec3::Y * 6.0);
    }

    #[test]
    fn without_a_speed_it_stops() {
        assert_eq!(change(Vec3::X * 4.0, 0.0), Vec3::X * -4.0);
        assert_eq!(change(Vec3::X * 0.005, 0.0), Vec3::X * 0.005 * -6.0);
        assert_eq!(change(Vec3::ZERO, 0.0), Vec3::ZERO);
    }
}
