//! The formulas of a step: force becomes velocity becomes position, and the heading follows.

use bevy::prelude::*;

use crate::simd::{
    lanes::Arithmetic,
    vector::{Vector, dot, each, flattened, length, select, split, truncate},
};

/// An agent slower than this fraction of its top speed keeps its heading, as the direction of a
/// tiny velocity is mainly noise.
const TOO_SLOW_TO_TURN: f32 = 0.01;

/// What moves an agent.
pub(super) struct Motion<L: Arithmetic> {
    pub(super) position: Vector<L>,
    pub(super) velocity: Vector<L>,
    pub(super) force: Vector<L>,
    pub(super) mass: L::F,
    pub(super) max_speed: L::F,
    pub(super) max_force: L::F,
}

/// An agent is too fast, and not only by rounding, if it exceeds top speed by this fraction.
const TOO_FAST: f32 = 5e-4;

/// Position and velocity after a step of semi-implicit Euler integration. An agent that is too fast
/// slows down by its force. Coordinates outside of the plane (zero in `has`) keep their position
/// and have no velocity.
#[inline(always)]
pub(super) fn step<L: Arithmetic>(
    l: L,
    motion: &Motion<L>,
    has: Vec3,
    dt: f32,
) -> (Vector<L>, Vector<L>) {
    let dt = l.splat(dt);
    let (velocity, force) = (flattened(l, motion.velocity, has), flattened(l, motion.force, has));
    let per_mass = l.div(l.splat(1.0), motion.mass);
    let faster = each!(d => l.add(velocity[d], l.mul(l.mul(force[d], per_mass), dt)));
    let mut limit = motion.max_speed;
    let most = l.mul(limit, l.splat(1.0 + TOO_FAST));
    let squared = dot(l, velocity, velocity);
    let is_too_fast = l.lt(l.mul(most, most), squared);
    if l.any(is_too_fast) {
        let braking = l.mul(l.mul(motion.max_force, per_mass), dt);
        let slower = l.max(l.sub(l.sqrt(squared), braking), limit);
        limit = l.select(is_too_fast, slower, limit);
    }
    let velocity = truncate(l, faster, limit);
    let position = each!(d => {
        let position = motion.position[d];
        if has[d] == 0.0 { position } else { l.add(position, l.mul(velocity[d], dt)) }
    });
    (position, velocity)
}

/// Whether an agent moves at about top speed, or at a constant speed, so that a tick should change
/// its position.
#[inline(always)]
pub(super) fn is_driving<L: Arithmetic>(
    l: L,
    velocity: Vector<L>,
    old_velocity: Vector<L>,
    max_speed: L::F,
) -> L::M {
    let speed = length(l, velocity);
    let change = length(l, each!(d => l.sub(velocity[d], old_velocity[d])));
    // While it accelerates or brakes, a step may be too short for a moment.
    let is_steady = l.lt(change, l.mul(speed, l.splat(0.02)));
    let share = l.select(is_steady, l.splat(0.05), l.splat(0.9));
    l.lt(l.mul(max_speed, share), speed)
}

/// The heading of an agent that faces along its velocity.
#[inline(always)]
pub(super) fn look_ahead<L: Arithmetic>(
    l: L,
    velocity: Vector<L>,
    max_speed: L::F,
    heading: Vector<L>,
) -> Vector<L> {
    let (direction, speed) = split(l, velocity);
    let turns = l.lt(l.mul(max_speed, l.splat(TOO_SLOW_TO_TURN)), speed);
    select(l, turns, direction, heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::one::One;

    #[test]
    fn a_mover_looks_ahead_and_keeps_its_heading_at_rest() {
        let look = |velocity: Vec3| {
            Vec3::from(look_ahead(One, velocity.to_array(), 10.0, Vec3::X.to_array()))
        };
        assert_eq!(look(Vec3::Y * 5.0), Vec3::Y);
        assert_eq!(look(Vec3::ZERO), Vec3::X);
        assert_eq!(look(Vec3::Y * 0.05), Vec3::X);
    }

    #[test]
    fn a_step_stays_in_the_plane_and_within_top_speed() {
        let motion = Motion {
            position: [1.0, 2.0, 3.0],
            velocity: [1.0, 0.0, 9.0],
            force: [2.0, 0.0, 7.0],
            mass: 2.0,
            max_speed: 1.5,
            max_force: 9.0,
        };
        let (position, velocity) = step(One, &motion, Vec3::new(1.0, 1.0, 0.0), 1.0);
        assert_eq!((position, velocity), ([2.5, 2.0, 3.0], [1.5, 0.0, 0.0]));
    }

    #[test]
    fn a_step_slows_an_agent_that_is_too_fast_by_its_force() {
        let speed_after = |velocity: f32, max_force: f32| {
            let (position, force) = ([0.0; 3], [0.0; 3]);
            let velocity = [velocity, 0.0, 0.0];
            let motion = Motion { position, velocity, force, mass: 2.0, max_speed: 4.0, max_force };
            step(One, &motion, Vec3::ONE, 0.5).1[0]
        };
        assert_eq!(speed_after(9.0, 8.0), 7.0);
        assert_eq!(speed_after(5.0, 8.0), 4.0);
        assert_eq!(speed_after(4.001, 0.0), 4.0);
        assert_eq!(speed_after(9.0, 0.0), 9.0);
    }
}
