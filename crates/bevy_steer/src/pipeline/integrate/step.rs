//! The formulas of a step: force becomes velocity becomes position, and the heading follows.

use bevy::prelude::*;

use crate::simd::{
    lanes::Arithmetic,
    vector::{Vector, each, flattened, select, split, truncate},
};

/// Slower than this share of its top speed an agent keeps its heading: the direction of a crawl is
/// mostly noise.
const TOO_SLOW_TO_TURN: f32 = 0.01;

/// What moves an agent.
pub(super) struct Motion<L: Arithmetic> {
    pub(super) position: Vector<L>,
    pub(super) velocity: Vector<L>,
    pub(super) force: Vector<L>,
    pub(super) mass: L::F,
    pub(super) max_speed: L::F,
}

/// Position and velocity after a step of semi-implicit Euler integration. Coordinates that the
/// plane does not have (zero in `has`) keep their position and have no velocity.
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
    let velocity = truncate(l, faster, motion.max_speed);
    let position = each!(d => {
        let position = motion.position[d];
        if has[d] == 0.0 { position } else { l.add(position, l.mul(velocity[d], dt)) }
    });
    (position, velocity)
}

/// The heading of an agent that looks where it goes.
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
        };
        let (position, velocity) = step(One, &motion, Vec3::new(1.0, 1.0, 0.0), 1.0);
        assert_eq!((position, velocity), ([2.5, 2.0, 3.0], [1.5, 0.0, 0.0]));
    }
}
