//! The motion of an agent that no behaviour moves.

use bevy::prelude::*;

use crate::{
    behavior::agent::Agent,
    simd::{
        lanes::Arithmetic,
        one::One,
        vector::{NEGLIGIBLE, Vector, each, select, split},
    },
};

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

impl Agent<'_> {
    /// The change of velocity that brings it to rest.
    pub fn brake(&self) -> Vec3 {
        let (velocity, at_once) = (self.velocity.to_array(), self.response() / self.dt);
        go_on(One, velocity, [0.0; 3], 0.0, self.vehicle.max_speed, at_once).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
